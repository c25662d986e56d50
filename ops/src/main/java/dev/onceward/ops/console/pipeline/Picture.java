package dev.onceward.ops.console.pipeline;

import dev.onceward.db.relay.RelayControl;
import dev.onceward.ops.console.pipeline.Part.Fact;
import dev.onceward.ops.console.pipeline.Part.State;
import dev.onceward.ops.offsets.OffsetsReport;
import dev.onceward.ops.offsets.OffsetsReport.Group;
import dev.onceward.ops.show.ByteText;
import dev.onceward.ops.status.PipelineStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The pipeline at one moment, part by part. Immutable.
 *
 * @param at when the database was looked at; null if it does not answer
 * @param parts from the writer to what is left over, always the same in the same order
 */
public record Picture(@Nullable Instant at, List<Part> parts) {

  private static final double LATE_SECONDS = 10;
  private static final String DASH = "–";

  public Picture {
    parts = List.copyOf(parts);
  }

  /**
   * Judges the last looks.
   *
   * @param workerGroup the name of the workers' group of consumers
   * @param last the newest sample; null if there is none yet
   */
  public static Picture of(
      DatabaseLook database, KafkaLook kafka, String workerGroup, @Nullable Sample last) {
    PipelineStatus status = database.status();
    return new Picture(
        status == null ? null : status.at(),
        List.of(
            writers(status, last),
            outbox(database),
            relay(database),
            kafka(kafka),
            workers(status, kafka, workerGroup),
            leftOver(status)));
  }

  /** How bad it is in all. */
  public State worst() {
    State worst = State.OK;
    for (Part part : parts) {
      if (part.state() != State.UNKNOWN && part.state().compareTo(worst) > 0) {
        worst = part.state();
      }
    }
    return worst;
  }

  private static Part writers(@Nullable PipelineStatus status, @Nullable Sample last) {
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("events in", last == null ? DASH : rate(last.eventsPerSecond())));
    Instant newest = status == null ? null : status.outbox().newestAt();
    facts.add(
        new Fact(
            "newest",
            status == null || newest == null
                ? DASH
                : age(PipelineWatch.secondsBetween(newest, status.at())) + " ago"));
    return status == null
        ? new Part("Writers", State.UNKNOWN, "the database does not answer", facts)
        : new Part("Writers", State.OK, "", facts);
  }

  private static Part outbox(DatabaseLook database) {
    PipelineStatus status = database.status();
    if (status == null) {
      return new Part(
          "PostgreSQL",
          State.DOWN,
          String.valueOf(database.failure()),
          List.of(new Fact("events kept", DASH), new Fact("retained WAL", DASH)));
    }
    PipelineStatus.Slot slot = status.slot();
    List<Fact> facts =
        List.of(
            new Fact("events kept", number(status.outbox().events())),
            new Fact("retained WAL", slot == null ? DASH : ByteText.of(slot.retainedBytes())));
    if (slot != null
        && (slot.walStatus().equals("unreserved") || slot.walStatus().equals("lost"))) {
      return new Part(
          "PostgreSQL",
          State.DEGRADED,
          "the log that the slot needs is " + slot.walStatus(),
          facts);
    }
    return new Part("PostgreSQL", State.OK, "", facts);
  }

  private static Part relay(DatabaseLook database) {
    PipelineStatus status = database.status();
    if (status == null) {
      return new Part(
          "Relay",
          State.UNKNOWN,
          "the database does not answer",
          List.of(new Fact("lag", DASH), new Fact("audited up to", DASH)));
    }
    PipelineStatus.Slot slot = status.slot();
    PipelineStatus.Relay relay = status.relay();
    Instant delivered = relay == null ? null : relay.deliveredAt();
    Instant audited = relay == null ? null : relay.auditedAt();
    Double lag = delivered == null ? null : PipelineWatch.secondsBetween(delivered, status.at());
    List<Fact> facts =
        List.of(
            new Fact(
                "lag",
                (lag == null ? DASH : age(lag))
                    + (slot == null ? "" : " · " + ByteText.of(slot.lagBytes()))),
            new Fact(
                "audited up to",
                audited == null
                    ? DASH
                    : age(PipelineWatch.secondsBetween(audited, status.at())) + " ago"));
    RelayControl.Relay look = database.relay();
    Instant pausedAt = look == null ? null : look.pausedAt();
    if (look != null && pausedAt != null) {
      return new Part(
          "Relay", State.DEGRADED, "paused since " + pausedAt + " by " + look.pausedBy(), facts);
    }
    if (slot == null) {
      return new Part("Relay", State.DOWN, "its replication slot does not exist", facts);
    }
    if (slot.walStatus().equals("lost")) {
      return new Part("Relay", State.DOWN, "its replication slot is lost", facts);
    }
    if (!slot.active()) {
      return new Part("Relay", State.DOWN, "no relay is streaming", facts);
    }
    if (lag == null || lag > LATE_SECONDS) {
      return new Part(
          "Relay",
          State.DOWN,
          lag == null ? "nothing is delivered yet" : "no progress for " + age(lag),
          facts);
    }
    return new Part("Relay", State.OK, "", facts);
  }

  private static Part kafka(KafkaLook kafka) {
    OffsetsReport report = kafka.report();
    if (report == null) {
      return new Part(
          "Kafka",
          State.DOWN,
          String.valueOf(kafka.failure()),
          List.of(new Fact("topics", DASH), new Fact("records", DASH)));
    }
    long records =
        report.topics().stream().mapToLong(one -> one.endOffset() - one.beginningOffset()).sum();
    return new Part(
        "Kafka",
        State.OK,
        "",
        List.of(
            new Fact(
                "topics",
                number(report.topics().stream().map(one -> one.topic()).distinct().count())),
            new Fact("records", number(records))));
  }

  private static Part workers(
      @Nullable PipelineStatus status, KafkaLook kafka, String workerGroup) {
    OffsetsReport report = kafka.report();
    Group group =
        report == null
            ? null
            : report.groups().stream()
                .filter(one -> one.group().equals(workerGroup))
                .findFirst()
                .orElse(null);
    long queued = count(status, "queued") + count(status, "waiting_retry");
    List<Fact> facts =
        List.of(
            new Fact(
                "running · waiting",
                status == null ? DASH : number(count(status, "running")) + " · " + number(queued)),
            new Fact("lag", group == null ? DASH : number(group.lagRecords()) + " records"));
    if (report == null) {
      return new Part("Workers", State.UNKNOWN, "Kafka does not answer", facts);
    }
    boolean nobody = group == null || group.state().equals("empty") || group.state().equals("dead");
    if (nobody && group != null && !group.type().equals("share")) {
      return new Part(
          "Workers",
          queued > 0 || group.lagRecords() > 0 ? State.DOWN : State.DEGRADED,
          "no worker is a member of group " + workerGroup,
          facts);
    }
    return new Part("Workers", State.OK, "", facts);
  }

  private static Part leftOver(@Nullable PipelineStatus status) {
    if (status == null) {
      return new Part(
          "Left over",
          State.UNKNOWN,
          "the database does not answer",
          List.of(new Fact("parked", DASH), new Fact("dead", DASH)));
    }
    long dead = status.outbox().deadLetters() + count(status, "dead") + count(status, "failed");
    List<Fact> facts =
        List.of(
            new Fact("parked", number(status.outbox().parked())), new Fact("dead", number(dead)));
    return status.outbox().parked() + status.outbox().deadLetters() > 0
        ? new Part("Left over", State.DEGRADED, "the relay could not send some events", facts)
        : new Part("Left over", State.OK, "", facts);
  }

  private static long count(@Nullable PipelineStatus status, String state) {
    return status == null ? 0 : status.operations().getOrDefault(state, 0L);
  }

  private static String rate(double perSecond) {
    return String.format(Locale.ROOT, perSecond < 100 ? "%.1f/s" : "%,.0f/s", perSecond);
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String age(double seconds) {
    if (seconds < 60) {
      return String.format(Locale.ROOT, "%.1f s", seconds);
    }
    return seconds < 7200
        ? String.format(Locale.ROOT, "%.0f min", seconds / 60)
        : seconds < 172_800
            ? String.format(Locale.ROOT, "%.0f h", seconds / 3600)
            : String.format(Locale.ROOT, "%.0f d", seconds / 86_400);
  }
}

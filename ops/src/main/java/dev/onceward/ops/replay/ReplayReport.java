package dev.onceward.ops.replay;

import dev.onceward.ops.show.TextTable;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A replay as it is shown. Immutable.
 *
 * @param id also the header {@code replay_id} of its records
 * @param state running, abandoned (its process is gone), stopped or completed
 * @param replayedBy who started it
 * @param startedAt when
 * @param selection which events were wanted
 * @param toTopic the private topic, or null if each event goes to its own
 * @param eventsPerSecond the most that are sent
 * @param chosenCount how many events there were at the start
 * @param sentCount how many of them Kafka has
 * @param refusedCount how many of them Kafka will never take
 * @param goneCount how many of them the outbox did not hold any more when their turn came
 * @param remainingCount how many are left
 * @param acknowledgedEventId everything up to it is done
 * @param chosenSnapshot the transactions that it chose from
 * @param runNumber how often it was started or resumed
 * @param progressedAt when the last progress was recorded
 * @param endedAt when it ended
 * @param lastErrorCode why it stopped, or what was refused
 * @param lastErrorSummary the same for people
 */
public record ReplayReport(
    UUID id,
    String state,
    String replayedBy,
    Instant startedAt,
    EventSelection selection,
    @Nullable String toTopic,
    int eventsPerSecond,
    long chosenCount,
    long sentCount,
    long refusedCount,
    long goneCount,
    long remainingCount,
    @Nullable UUID acknowledgedEventId,
    String chosenSnapshot,
    int runNumber,
    Instant progressedAt,
    @Nullable Instant endedAt,
    @Nullable String lastErrorCode,
    @Nullable String lastErrorSummary) {

  static ReplayReport of(Replay replay) {
    return new ReplayReport(
        replay.id(),
        replay.isAbandoned() ? "abandoned" : replay.state().text(),
        replay.replayedBy(),
        replay.startedAt(),
        replay.selection(),
        replay.toTopic(),
        replay.eventsPerSecond(),
        replay.chosenCount(),
        replay.sentCount(),
        replay.refusedCount(),
        replay.goneCount(),
        replay.state() == ReplayState.COMPLETED ? 0 : replay.remainingCount(),
        replay.acknowledgedEventId(),
        replay.chosenSnapshot(),
        replay.runNumber(),
        replay.progressedAt(),
        replay.endedAt(),
        replay.lastErrorCode(),
        replay.lastErrorSummary());
  }

  void print(PrintWriter out) {
    line(out, "replay", id);
    line(out, "state", state + (endedAt == null ? "" : " at " + endedAt));
    line(out, "by", replayedBy + ", " + startedAt + (runNumber == 1 ? "" : ", run " + runNumber));
    line(out, "events", selection.text());
    line(out, "to", toTopic == null ? "the events' own topics" : toTopic);
    line(
        out,
        "sent",
        String.format(
            Locale.ROOT,
            "%d of %d, %d refused, %d gone, %d left",
            sentCount,
            chosenCount,
            refusedCount,
            goneCount,
            remainingCount));
    line(out, "rate", eventsPerSecond + " events/s");
    if (lastErrorCode != null) {
      line(out, "trouble", lastErrorCode + ": " + lastErrorSummary);
    }
    out.flush();
  }

  static void printAll(List<ReplayReport> reports, PrintWriter out) {
    TextTable table =
        new TextTable("ID", "STARTED", "BY", "STATE", "SENT", "OF", "REFUSED", "TO", "EVENTS");
    for (ReplayReport report : reports) {
      table.row(
          report.id,
          report.startedAt,
          report.replayedBy,
          report.state,
          report.sentCount,
          report.chosenCount,
          report.refusedCount,
          report.toTopic,
          report.selection.text());
    }
    table.print(out);
  }

  static void line(PrintWriter out, String name, Object value) {
    out.println(
        String.format(Locale.ROOT, "%-9s", name) + TextTable.printable(String.valueOf(value)));
  }

  /** Seconds below a minute, then minutes and seconds, then hours and minutes. */
  static String about(Duration span) {
    long seconds = Math.max(1, span.toSeconds());
    return seconds < 60
        ? seconds + " s"
        : seconds < 3600
            ? seconds / 60 + " min " + seconds % 60 + " s"
            : seconds / 3600 + " h " + seconds / 60 % 60 + " min";
  }
}

package dev.onceward.local.matrix;

import dev.onceward.db.UuidV7;
import dev.onceward.local.topic.SeenRecord;
import dev.onceward.local.torture.Fate;
import dev.onceward.local.torture.OperationFacts;
import dev.onceward.local.torture.PipelineStore;
import dev.onceward.local.torture.RestWatch;
import dev.onceward.local.torture.WriteLedger;
import dev.onceward.local.torture.WrittenEvent;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** One repetition of one cell. Confined to one thread, and used once. */
final class Trial {

  private static final int MOST_MISSES = 8;
  private static final Duration WHOLE_LIMIT = Duration.ofSeconds(90);
  private static final Duration REST_LIMIT = Duration.ofSeconds(90);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);

  private final Site site;
  private final Subject subject;
  private final Cell cell;

  /** When it began; the ids of its events are not older. */
  private final Instant begun = Instant.now().truncatedTo(ChronoUnit.MILLIS);

  private final Writing writing;
  private final PipelineStore store;
  private final Stage stage;
  private boolean hit;
  private int misses;

  Trial(Site site, Subject subject, Cell cell) {
    this.site = site;
    this.subject = subject;
    this.cell = cell;
    String prefix = "m" + Long.toString(begun.toEpochMilli(), Character.MAX_RADIX) + "-";
    this.writing = new Writing(site.cluster(), prefix);
    this.store = new PipelineStore(site.cluster(), prefix, begun);
    this.stage = cell.moment().stage(site, writing);
  }

  /** Runs it; what it found stands in the result. */
  TrialResult run() throws SQLException, IOException, InterruptedException {
    List<String> unrest = new ArrayList<>(prepare());
    writing.rollBack();
    Writing.Committed unused = writing.commit(Writing.PLAIN, 3);
    UUID ignored = writing.request();
    try {
      hit = reach();
      if (hit) {
        strike();
        hit = stage.lasted();
      }
    } finally {
      stage.release();
    }
    Instant struck = Instant.now();
    unrest.addAll(site.makeWhole(WHOLE_LIMIT));
    stage.goOn();
    writing.writeBehind();
    ignored = writing.request();
    unrest.addAll(new RestWatch(site.services(), store).await(REST_LIMIT));
    Instant rest = Instant.now();
    unrest.addAll(writing.repeatRequests(ANSWER_LIMIT));
    return judge(unrest, struck, rest);
  }

  /** All runs, and of several relays the first leads. */
  private List<String> prepare() throws SQLException, IOException, InterruptedException {
    if (cell.moment() == Moment.DURING_TAKE_OVER) {
      return List.of();
    }
    site.twoRelays(false);
    List<String> missing = site.makeWhole(WHOLE_LIMIT);
    boolean leads =
        Waiting.until(WHOLE_LIMIT, () -> site.role(site.cluster().relay()).equals("leader"));
    return leads ? missing : List.of("the only relay does not lead");
  }

  private boolean reach() throws SQLException, IOException, InterruptedException {
    while (!stage.reach()) {
      stage.release();
      misses++;
      if (misses == MOST_MISSES) {
        return false;
      }
      List<String> unused = site.makeWhole(WHOLE_LIMIT);
    }
    return true;
  }

  private void strike() {
    switch (cell.victim()) {
      case PROCESS -> stage.killProcess();
      case POSTGRES -> site.cluster().postgres().kill();
      case KAFKA -> site.cluster().kafka().kill();
    }
  }

  private TrialResult judge(List<String> unrest, Instant struck, Instant rest)
      throws SQLException, InterruptedException {
    WriteLedger ledger = writing.ledger();
    ledger.settle(store.present(ledger.unknown()));
    List<OperationFacts> operations = store.operations();
    for (OperationFacts each : operations) {
      ledger.book(
          List.of(new WrittenEvent(each.eventId(), Writing.STORE + " " + each.storeId(), 0)),
          Fate.COMMITTED);
    }
    List<SeenRecord> records = records();
    Set<UUID> ids = new HashSet<>();
    records.forEach(record -> ids.add(UUID.fromString(record.key())));
    Verdict verdict =
        Verdict.of(
            new Verdict.Facts(
                ledger.entries(),
                records,
                store.setAside(),
                store.present(ids),
                operations,
                site.cluster().platform().ledger().snapshot(),
                writing.answers(),
                stage.own(records),
                unrest));
    long committed =
        ledger.entries().values().stream().filter(each -> each.fate() == Fate.COMMITTED).count();
    return verdict.result(
        subject,
        cell,
        begun,
        hit,
        misses,
        Duration.between(begun, Instant.now()).toMillis(),
        Duration.between(struck, rest).toMillis(),
        committed);
  }

  /** Those of this repetition. */
  private List<SeenRecord> records() throws InterruptedException {
    Set<String> types = new HashSet<>(writing.types());
    types.add(Writing.STORE);
    List<SeenRecord> records = new ArrayList<>();
    for (String type : types) {
      for (SeenRecord record : site.records(site.cluster().topic(type))) {
        if (!UuidV7.time(UUID.fromString(record.key())).isBefore(begun)) {
          records.add(record);
        }
      }
    }
    return records;
  }
}

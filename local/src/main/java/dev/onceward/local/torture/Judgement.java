package dev.onceward.local.torture;

import dev.onceward.db.UuidV7;
import dev.onceward.local.cluster.LocalCluster;
import dev.onceward.local.topic.SeenRecord;
import dev.onceward.local.topic.TopicReader;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Gathers what is there once all is quiet, and lets each check judge it. Confined to one thread.
 */
final class Judgement {

  private static final Duration AUDIT_LIMIT = Duration.ofSeconds(90);
  private static final String API_AGGREGATE_TYPE = "store";

  private final LocalCluster cluster;
  private final TortureOptions options;
  private final Instant begun;
  private final PipelineStore store;
  private final WriteLedger ledger;
  private final AnswerBook answers;
  private final WriterFailures failures;

  Judgement(
      LocalCluster cluster,
      TortureOptions options,
      Instant begun,
      PipelineStore store,
      WriteLedger ledger,
      AnswerBook answers,
      WriterFailures failures) {
    this.cluster = cluster;
    this.options = options;
    this.begun = begun;
    this.store = store;
    this.ledger = ledger;
    this.answers = answers;
    this.failures = failures;
  }

  /**
   * The report.
   *
   * @param unrest what has not come to rest
   * @param endings parts that ended by themselves
   * @param rest how long it took to come to rest
   */
  TortureReport pass(
      List<Outage> outages,
      List<HealthSample> health,
      List<String> unrest,
      Map<String, Long> endings,
      Duration rest)
      throws InterruptedException, SQLException {
    List<UUID> unknown = ledger.unknown();
    ledger.settle(store.present(unknown));
    List<OperationFacts> operations = store.operations();
    for (OperationFacts each : operations) {
      ledger.book(
          List.of(new WrittenEvent(each.eventId(), API_AGGREGATE_TYPE + " " + each.storeId(), 0)),
          Fate.COMMITTED);
    }
    RecordCheck check = new RecordCheck(ledger.entries());
    read(SqlWriter.AGGREGATE_TYPE, check);
    read(API_AGGREGATE_TYPE, check);
    RecordResult records = check.finish(store.setAside(), store.present(check.strangers()));
    Map<String, String> answered = answers.operations();
    EffectResult effects =
        EffectCheck.check(operations, answered, cluster.platform().ledger().snapshot());
    HonestyResult honesty = HonestyCheck.check(outages, health, options.healthBound());
    AuditVerdict audit = AuditVerdict.ask(cluster.opsConfig(), begun, AUDIT_LIMIT);
    Map<Fate, Long> counts = ledger.counts();
    long committed = counts.getOrDefault(Fate.COMMITTED, 0L);
    long rolledBack = counts.getOrDefault(Fate.ROLLED_BACK, 0L);
    List<GuaranteeResult> guarantees =
        List.of(
            GuaranteeResult.of(
                "no loss",
                records.lost(),
                committed + " committed, " + records.setAside() + " visibly set aside"),
            GuaranteeResult.of("no phantom", records.phantoms(), rolledBack + " rolled back"),
            GuaranteeResult.of(
                "content", records.changed(), records.records() + " records, each as written"),
            GuaranteeResult.of("order", records.overtaken(), "first records of each aggregate"),
            GuaranteeResult.of(
                "one effect", effects.effects(), effects.operations() + " operations"),
            GuaranteeResult.of(
                "one request",
                effects.executions().plus(answers.different()),
                answered.size() + " keys, " + answers.repeated() + " answers repeated"),
            GuaranteeResult.of(
                "honest health",
                honesty.dishonest(),
                honesty.outages()
                    + " long outages, reported after "
                    + honesty.slowest().toMillis()
                    + " ms at most"),
            GuaranteeResult.of("proof", proof(audit), "audit: " + audit.word()),
            GuaranteeResult.of(
                "alive",
                new Finding(unrest.size(), unrest).plus(effects.unfinished()),
                "at rest after " + rest.toSeconds() + " s"),
            GuaranteeResult.of("writers", failures.finding(), "met nothing but faults"));
    return new TortureReport(
        options.seed(),
        options.duration().toSeconds(),
        rest.toSeconds(),
        ledger.transactions(),
        answers.sent(),
        committed,
        rolledBack,
        unknown.size(),
        effects.operations(),
        records.records(),
        records.duplicates().count(),
        records.duplicates().examples(),
        records.repairs(),
        effects.extraCalls(),
        faults(outages),
        endings,
        guarantees);
  }

  /** Records of before this run are not ours to judge. */
  private void read(String aggregateType, RecordCheck check) throws InterruptedException {
    try (TopicReader reader =
        new TopicReader(cluster.bootstrapServers(), cluster.topic(aggregateType))) {
      boolean end = false;
      while (!end) {
        List<SeenRecord> records = reader.poll();
        for (SeenRecord record : records) {
          if (!UuidV7.time(UUID.fromString(record.key())).isBefore(begun)) {
            check.record(record);
          }
        }
        end = records.isEmpty() && reader.atEnd();
      }
    }
  }

  private static Finding proof(AuditVerdict audit) {
    if (audit.proven()) {
      return Finding.NONE;
    }
    List<String> reasons = new ArrayList<>(audit.contradictions());
    reasons.addAll(audit.unproven());
    return new Finding(Math.max(1, reasons.size()), reasons);
  }

  private static Map<String, Long> faults(List<Outage> outages) {
    Map<String, Long> counts = new TreeMap<>();
    outages.forEach(each -> counts.merge(each.part() + " " + each.kind().words(), 1L, Long::sum));
    return counts;
  }
}

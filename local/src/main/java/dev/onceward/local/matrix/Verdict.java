package dev.onceward.local.matrix;

import dev.onceward.local.platform.PlatformCall;
import dev.onceward.local.topic.SeenRecord;
import dev.onceward.local.torture.AnswerBook;
import dev.onceward.local.torture.EffectCheck;
import dev.onceward.local.torture.EffectResult;
import dev.onceward.local.torture.Finding;
import dev.onceward.local.torture.LedgerEntry;
import dev.onceward.local.torture.OperationFacts;
import dev.onceward.local.torture.RecordCheck;
import dev.onceward.local.torture.RecordResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * What one repetition has left, compared. Immutable.
 *
 * @param records Kafka against the ledger
 * @param effects operations against the platform's books and the answers
 * @param different repeated answers that differ
 * @param own of the moment alone
 * @param unrest what did not come to rest
 */
record Verdict(
    RecordResult records,
    EffectResult effects,
    Finding different,
    Stage.Own own,
    List<String> unrest) {

  Verdict {
    unrest = List.copyOf(unrest);
  }

  /**
   * What was found when all was quiet. Immutable.
   *
   * @param ledger with no unknown fate, the operations' events included
   * @param setAside events that stand in {@code parked_events}
   * @param inOutbox of all ids that Kafka holds those whose rows are there
   * @param operations of this repetition
   * @param calls the platform's books
   * @param unrest what did not come to rest
   */
  record Facts(
      Map<UUID, LedgerEntry> ledger,
      List<SeenRecord> records,
      Set<UUID> setAside,
      Set<UUID> inOutbox,
      List<OperationFacts> operations,
      Map<String, List<PlatformCall>> calls,
      AnswerBook answers,
      Stage.Own own,
      List<String> unrest) {}

  static Verdict of(Facts facts) {
    RecordCheck check = new RecordCheck(facts.ledger);
    facts.records.forEach(check::record);
    return new Verdict(
        check.finish(facts.setAside, facts.inOutbox),
        EffectCheck.check(facts.operations, facts.answers.operations(), facts.calls),
        facts.answers.different(),
        facts.own,
        facts.unrest);
  }

  /**
   * As a line of the results.
   *
   * @param subject the pipeline that was tried
   * @param begun when it began
   * @param hit whether it counts
   * @param misses tries before that
   * @param millis how long it took
   * @param restMillis of these, from the kill to rest
   * @param events committed
   */
  TrialResult result(
      Subject subject,
      Cell cell,
      Instant begun,
      boolean hit,
      int misses,
      long millis,
      long restMillis,
      long events) {
    Finding executions = effects.executions().plus(different);
    Finding lost = records.lost().plus(own.lost());
    Finding duplicates = records.duplicates().plus(own.duplicates());
    return new TrialResult(
        subject.build(),
        subject.postgres(),
        subject.capture(),
        cell.moment().label(),
        cell.victim().label(),
        begun.toString(),
        hit,
        misses,
        millis,
        restMillis,
        events,
        records.records(),
        lost.count(),
        records.phantoms().count(),
        records.changed().count(),
        records.overtaken().count(),
        duplicates.count(),
        records.repairs(),
        effects.operations(),
        effects.effects().count(),
        effects.extraCalls(),
        effects.unfinished().count(),
        executions.count(),
        unrest.size(),
        examples(lost, duplicates, executions));
  }

  private List<String> examples(Finding lost, Finding duplicates, Finding executions) {
    List<String> examples = new ArrayList<>(unrest);
    Stream.of(
            named("lost", lost),
            named("phantom", records.phantoms()),
            named("changed", records.changed()),
            named("overtaken", records.overtaken()),
            named("duplicate", duplicates),
            named("effect", effects.effects()),
            named("request", executions),
            named("unfinished", effects.unfinished()))
        .flatMap(each -> each)
        .forEach(examples::add);
    return examples;
  }

  private static Stream<String> named(String kind, Finding finding) {
    return finding.examples().stream().map(example -> kind + ": " + example);
  }
}

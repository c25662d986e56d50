package dev.onceward.local.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.UuidV7;
import dev.onceward.local.topic.SeenRecord;
import dev.onceward.local.torture.AnswerBook;
import dev.onceward.local.torture.Fate;
import dev.onceward.local.torture.Finding;
import dev.onceward.local.torture.LedgerEntry;
import dev.onceward.local.torture.OperationFacts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class VerdictTest {

  private static final Cell CELL = new Cell(Moment.AFTER_SEND, Victim.PROCESS);

  private final UUID first = UuidV7.next();
  private final UUID second = UuidV7.next();
  private final UUID undone = UuidV7.next();
  private final Map<UUID, LedgerEntry> ledger =
      Map.of(
          first, new LedgerEntry("matrix a", 1, Fate.COMMITTED),
          second, new LedgerEntry("matrix a", 2, Fate.COMMITTED),
          undone, new LedgerEntry("matrix a", 3, Fate.ROLLED_BACK));

  @Test
  void what_is_whole_has_no_violation() {
    TrialResult result = judge(List.of(first, second), Set.of(), List.of());

    assertThat(result.violations()).isZero();
    assertThat(result.records()).isEqualTo(2);
    assertThat(result.findings()).isEmpty();
  }

  @Test
  void a_planted_loss_is_found_and_named() {
    TrialResult result = judge(List.of(first), Set.of(), List.of());

    assertThat(result.lost()).isOne();
    assertThat(result.violations()).isOne();
    assertThat(result.findings()).singleElement().asString().contains("lost", second.toString());
  }

  @Test
  void what_stands_visibly_aside_is_not_lost() {
    assertThat(judge(List.of(first), Set.of(second), List.of()).lost()).isZero();
  }

  @Test
  void a_phantom_an_overtaking_and_unrest_are_violations() {
    TrialResult result =
        judge(List.of(second, first, undone), Set.of(), List.of("workers is not ready"));

    assertThat(result.phantoms()).isOne();
    assertThat(result.overtaken()).isOne();
    assertThat(result.unrest()).isOne();
    assertThat(result.violations()).isEqualTo(3);
  }

  @Test
  void a_duplicate_is_counted_and_is_no_violation() {
    TrialResult result = judge(List.of(first, second, first), Set.of(), List.of());

    assertThat(result.duplicates()).isOne();
    assertThat(result.violations()).isZero();
  }

  @Test
  void an_operation_that_succeeded_without_an_effect_is_a_violation() {
    TrialResult result =
        Verdict.of(
                new Verdict.Facts(
                    ledger,
                    List.of(record(first), record(second)),
                    Set.of(),
                    Set.of(first, second),
                    List.of(
                        new OperationFacts(
                            UUID.randomUUID(), first, "store", "request", "succeeded")),
                    Map.of(),
                    new AnswerBook(),
                    Stage.Own.NOTHING,
                    List.of()))
            .result(new Subject("b", 18, "debezium"), CELL, Instant.EPOCH, true, 0, 1, 1, 2);

    assertThat(result.effects()).isOne();
    assertThat(result.violations()).isOne();
  }

  @Test
  void what_a_moment_alone_promises_counts_with_the_rest() {
    Stage.Own own =
        new Stage.Own(new Finding(2, List.of("not replayed")), new Finding(1, List.of("twice")));
    TrialResult result =
        Verdict.of(facts(List.of(first, second), Set.of(), own, List.of()))
            .result(new Subject("b", 18, "debezium"), CELL, Instant.EPOCH, true, 0, 1, 1, 2);

    assertThat(result.lost()).isEqualTo(2);
    assertThat(result.duplicates()).isOne();
  }

  private TrialResult judge(List<UUID> inKafka, Set<UUID> setAside, List<String> unrest) {
    return Verdict.of(facts(inKafka, setAside, Stage.Own.NOTHING, unrest))
        .result(new Subject("b", 18, "debezium"), CELL, Instant.EPOCH, true, 0, 1, 1, 2);
  }

  private Verdict.Facts facts(
      List<UUID> inKafka, Set<UUID> setAside, Stage.Own own, List<String> unrest) {
    return new Verdict.Facts(
        ledger,
        inKafka.stream().map(VerdictTest::record).toList(),
        setAside,
        Set.of(first, second),
        List.of(),
        Map.of(),
        new AnswerBook(),
        own,
        unrest);
  }

  private static SeenRecord record(UUID id) {
    return new SeenRecord("matrix", 0, 0, id.toString(), Map.of(), "{" + id + "}", Instant.EPOCH);
  }
}

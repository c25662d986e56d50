package dev.onceward.ops.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.operation.OperationState;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The states of an operation that a worker has touched; the others need a database and Kafka. */
final class DiagnosisTest {

  private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
  private static final UUID ID = UUID.fromString("0190e0a4-0000-7000-8000-000000000001");

  @Test
  void what_ended_well_needs_nothing() {
    assertThat(why(OperationState.SUCCEEDED, null, null))
        .isEqualTo(Why.finished("Finished: succeeded 60 s ago"));
    assertThat(why(OperationState.CANCELLED, null, null).finished()).isTrue();
  }

  @Test
  void what_waits_for_its_next_attempt_needs_nothing_until_that_is_long_over() {
    Why soon = why(OperationState.WAITING_RETRY, null, NOW.plusSeconds(90));
    assertThat(soon.help()).isNull();
    assertThat(soon.sentence())
        .isEqualTo(
            "Attempt 2 of 8 failed (TIMEOUT: no answer); the next begins by itself at"
                + " 2026-01-31T12:01:30Z");
    assertThat(why(OperationState.WAITING_RETRY, null, NOW.minusSeconds(20)).help()).isNull();

    Why late = why(OperationState.WAITING_RETRY, null, NOW.minusSeconds(600));
    assertThat(late.sentence()).contains("was due 10 min ago, and no worker takes it");
    assertThat(late.help()).isEqualTo("onceward offsets show");
  }

  @Test
  void what_runs_needs_nothing_until_its_lease_is_long_over() {
    Why running = why(OperationState.RUNNING, NOW.plusSeconds(20), null);
    assertThat(running.finished()).isFalse();
    assertThat(running.help()).isNull();
    assertThat(running.sentence()).contains("Worker worker-7 is at it, attempt 2 of 8");

    Why orphaned = why(OperationState.RUNNING, NOW.minusSeconds(7_200), null);
    assertThat(orphaned.sentence())
        .contains("The lease of worker worker-7 ended 2 h ago")
        .contains("workers with a handler for verify_store_credentials");
  }

  @Test
  void what_failed_names_its_error_and_the_redrive() {
    Why failed = why(OperationState.FAILED, null, null);
    assertThat(failed.sentence()).contains("failed for good 60 s ago: TIMEOUT: no answer");
    assertThat(failed.help()).isEqualTo("onceward dead-letters redrive " + ID);
    assertThat(why(OperationState.DEAD, null, null).sentence()).contains("All 8 attempts");
  }

  private static Why why(
      OperationState state, @Nullable Instant leaseUntil, @Nullable Instant nextAttempt) {
    OperationLife operation =
        new OperationLife(
            ID,
            "verify_store_credentials",
            "store",
            "42",
            ID,
            state,
            2,
            8,
            leaseUntil == null ? null : "worker-7",
            leaseUntil,
            nextAttempt,
            "TIMEOUT",
            "no answer",
            null,
            NOW.minusSeconds(100),
            NOW.minusSeconds(60),
            state.isFinal() ? NOW.minusSeconds(60) : null);
    Life life = new Life(UUID.randomUUID(), "operation", List.of(), operation, List.of(), null);
    return Diagnosis.of(life, null, NOW);
  }
}

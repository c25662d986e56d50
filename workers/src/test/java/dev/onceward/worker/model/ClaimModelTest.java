package dev.onceward.worker.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.test.model.Exploration;
import dev.onceward.db.test.model.Exploration.Counterexample;
import dev.onceward.db.test.model.Explorer;
import dev.onceward.worker.model.TaskWorld.Left;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaimModelTest {
  private static final int MOST_STATES = 3_000_000;

  @Test
  void a_killed_worker_and_one_that_stops_keep_the_promises() {
    holds("killed worker, stop", new Left(1, 1, 0, 0, 0, 0));
  }

  @Test
  void a_redelivery_and_a_cancel_keep_the_promises() {
    holds("redelivery, cancel", new Left(0, 0, 1, 0, 0, 1));
  }

  @Test
  void a_lost_answer_and_a_retry_keep_the_promises() {
    holds("lost answer, retry", new Left(0, 0, 0, 1, 1, 0));
  }

  private static void holds(String name, Left trouble) {
    Exploration exploration =
        Explorer.explore(new ClaimModel(ClaimMistake.NONE, trouble), MOST_STATES);
    System.out.println(name + ": " + exploration);
    assertThat(exploration.counterexample()).isEmpty();
    assertThat(exploration.states()).isGreaterThan(1_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CLAIM_TAKES_A_HELD_LEASE | " + ClaimModel.HELD_IS_HELD,
        "CLAIM_WITHOUT_LIMIT | " + ClaimModel.ATTEMPTS_BOUNDED,
        "ATTEMPT_COUNTED_AT_THE_END | " + ClaimModel.LATE_CHANGES_NOTHING,
        "FINISH_WITHOUT_ATTEMPT | " + ClaimModel.LATE_CHANGES_NOTHING,
        "FINISH_WITHOUT_OWNER | " + ClaimModel.LATE_CHANGES_NOTHING,
        "FINISH_WITHOUT_EVENT | " + ClaimModel.LATE_CHANGES_NOTHING,
        "LATE_WRITES_STAY | " + ClaimModel.ONE_EFFECT,
        "NEW_KEY_AFTER_DEATH | " + ClaimModel.ONE_EFFECT,
        "BURIED_UNSEEN | " + ClaimModel.HELD_IS_HELD,
        "NO_REAPER | " + ClaimModel.NEVER_STUCK
      })
  void each_mistake_is_found(ClaimMistake mistake, String invariant) {
    // What gets stuck is found last, after all that could be reached.
    Left trouble =
        mistake == ClaimMistake.NO_REAPER ? new Left(1, 0, 0, 0, 0, 0) : new Left(1, 1, 0, 1, 1, 0);
    Exploration exploration = Explorer.explore(new ClaimModel(mistake, trouble), MOST_STATES);
    System.out.println(mistake + ": " + exploration);
    assertThat(exploration.counterexample()).map(Counterexample::invariant).contains(invariant);
  }
}

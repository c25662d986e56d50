package dev.onceward.relay.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.test.model.Exploration;
import dev.onceward.db.test.model.Exploration.Counterexample;
import dev.onceward.db.test.model.Explorer;
import dev.onceward.embedded.junit.LongFault;
import dev.onceward.relay.model.RelayWorld.Left;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RelayModelTest {
  private static final int MOST_STATES = 3_000_000;

  @LongFault
  @Test
  void three_transactions_in_any_order_keep_the_promises() {
    holds("three transactions", 3, new Left(0, 0, 0, 0, 0, 0));
  }

  @Test
  void a_relay_that_stands_still_keeps_the_promises() {
    holds("stall", 2, new Left(0, 1, 0, 0, 0, 0));
  }

  @Test
  void a_refused_topic_keeps_the_promises() {
    holds("refusal", 2, new Left(0, 0, 0, 0, 1, 0));
  }

  @Test
  void a_lost_slot_and_a_killed_relay_keep_the_promises() {
    holds("lost slot, killed relay", 2, new Left(1, 0, 0, 1, 0, 0));
  }

  @Test
  void a_killed_server_and_a_transaction_rolled_back_keep_the_promises() {
    holds("killed server, rollback", 2, new Left(0, 0, 1, 0, 0, 1));
  }

  @LongFault
  @Test
  void a_relay_that_stands_still_and_one_that_is_killed_keep_the_promises() {
    holds("stall, killed relay", 2, new Left(1, 1, 0, 0, 0, 0));
  }

  @LongFault
  @Test
  void a_refused_topic_and_a_killed_relay_keep_the_promises() {
    holds("refusal, killed relay", 2, new Left(1, 0, 0, 0, 1, 0));
  }

  @LongFault
  @Test
  void a_refused_topic_and_a_relay_that_stands_still_keep_the_promises() {
    holds("refusal, stall", 2, new Left(0, 1, 0, 0, 1, 0));
  }

  @LongFault
  @Test
  void a_lost_slot_a_killed_relay_one_that_stands_still_and_a_rollback_keep_the_promises() {
    holds("lost slot, killed relay, stall, rollback", 2, new Left(1, 1, 0, 1, 0, 1));
  }

  private static void holds(String name, int transactions, Left trouble) {
    Exploration exploration =
        Explorer.explore(new RelayModel(transactions, trouble, RelayMistake.NONE), MOST_STATES);
    System.out.println(name + ": " + exploration);
    assertThat(exploration.counterexample()).isEmpty();
    assertThat(exploration.states()).isGreaterThan(5_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CONFIRM_BEFORE_ACKNOWLEDGEMENT | 0 | 0 | 0 | 0 | " + RelayModel.CONFIRMED_IS_SAFE,
        "WATERMARK_BEFORE_ACKNOWLEDGEMENT | 0 | 0 | 0 | 0 | " + RelayModel.ONCE,
        "MESSAGE_BEFORE_SNAPSHOT | 0 | 0 | 0 | 0 | " + RelayModel.CONFIRMED_IS_SAFE,
        "GAP_NOT_STORED | 1 | 0 | 1 | 0 | " + RelayModel.ORDER,
        "GAP_FILLED_LATER | 0 | 0 | 1 | 0 | " + RelayModel.ORDER,
        "AUDIT_BELIEVES | 0 | 0 | 1 | 0 | " + RelayModel.DISPATCHED_IS_IN_KAFKA,
        "POSITIONS_AT_THE_END | 1 | 0 | 0 | 0 | " + RelayModel.ONCE,
        "NO_TAIL_READ | 1 | 0 | 0 | 0 | " + RelayModel.ONCE,
        "TAIL_FORGOTTEN_AT_ONCE | 1 | 0 | 0 | 0 | " + RelayModel.ONCE,
        "STATE_NOT_FENCED | 0 | 1 | 0 | 0 | " + RelayModel.NEVER_BACK,
        "PARKING_NOT_FENCED | 0 | 1 | 0 | 1 | " + RelayModel.ONE_PARKS,
        "PARKED_IS_OVERTAKEN | 0 | 0 | 0 | 1 | " + RelayModel.ORDER,
        "PARKED_DUPLICATE_NOT_EXCUSED | 1 | 0 | 0 | 1 | " + RelayModel.ONCE
      })
  void each_mistake_is_found(
      RelayMistake mistake,
      int crashes,
      int stalls,
      int slotLosses,
      int refusals,
      String invariant) {
    Left trouble = new Left(crashes, stalls, 0, slotLosses, refusals, 0);
    Exploration exploration = Explorer.explore(new RelayModel(2, trouble, mistake), MOST_STATES);
    System.out.println(mistake + ": " + exploration);
    assertThat(exploration.counterexample()).map(Counterexample::invariant).contains(invariant);
  }
}

package dev.onceward.local.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.local.platform.PlatformCall;
import dev.onceward.local.platform.PlatformCall.Fate;
import dev.onceward.local.platform.PlatformLedger;
import java.util.ArrayList;
import java.util.List;

/** Compares the platform's books with the operations of a test. */
final class EffectAudit {

  private final PlatformLedger ledger;

  EffectAudit(PlatformLedger ledger) {
    this.ledger = ledger;
  }

  /** Each operation had exactly one effect. */
  void eachHasOneEffect(List<OperationRow> operations) {
    assertThat(operations)
        .allSatisfy(
            each -> assertThat(ledger.effects(each.eventId().toString())).as("%s", each).isOne());
  }

  /** Each operation was called for exactly once. */
  void eachHasOneCall(List<OperationRow> operations) {
    assertThat(operations)
        .allSatisfy(each -> assertThat(ledger.calls(each.eventId().toString())).hasSize(1));
  }

  /**
   * The calls that no fault accounts for. A call may follow another under the same key only when
   * the answer of the earlier one was lost or refused on purpose, or when a part that stands
   * between call and finish (the worker, or the database that it finishes in) was killed or was
   * away in between.
   */
  List<String> unexplainedCalls(List<OperationRow> operations, List<Fault> faults) {
    List<String> unexplained = new ArrayList<>();
    for (OperationRow operation : operations) {
      List<PlatformCall> calls = ledger.calls(operation.eventId().toString());
      for (int later = 1; later < calls.size(); later++) {
        PlatformCall before = calls.get(later - 1);
        PlatformCall call = calls.get(later);
        boolean onPurpose = before.fate() == Fate.ANSWER_LOST || before.fate() == Fate.FAILED;
        boolean byFault =
            faults.stream()
                .filter(fault -> fault.part().equals("workers") || fault.part().equals("postgres"))
                .anyMatch(
                    fault ->
                        !fault.killedAt().isAfter(call.arrivedAt())
                            && !fault.backAt().isBefore(before.arrivedAt()));
        if (!onPurpose && !byFault) {
          unexplained.add(operation + ": " + before + " then " + call);
        }
      }
    }
    return unexplained;
  }

  /** Calls beyond the first of each operation. */
  long extraCalls(List<OperationRow> operations) {
    return operations.stream()
        .mapToLong(each -> ledger.calls(each.eventId().toString()).size() - 1L)
        .sum();
  }
}

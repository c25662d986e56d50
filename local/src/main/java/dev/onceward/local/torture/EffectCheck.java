package dev.onceward.local.torture;

import dev.onceward.local.platform.PlatformCall;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Compares operations, the clients' answers and the platform's books. Stateless. */
public final class EffectCheck {

  private EffectCheck() {}

  /**
   * Compares.
   *
   * @param operations all of this run
   * @param answered by idempotency key, the id of the operation that the client was told
   * @param calls the platform's books, by event id
   */
  public static EffectResult check(
      List<OperationFacts> operations,
      Map<String, String> answered,
      Map<String, List<PlatformCall>> calls) {
    FindingList effects = new FindingList();
    FindingList executions = new FindingList();
    FindingList unfinished = new FindingList();
    Map<String, OperationFacts> byRequest = new HashMap<>();
    long extraCalls = 0;
    for (OperationFacts operation : operations) {
      OperationFacts other = byRequest.put(operation.request(), operation);
      if (other != null) {
        executions.add(
            operation.request() + " was executed twice: " + other.id() + ", " + operation.id());
      }
      List<PlatformCall> made = calls.getOrDefault(operation.eventId().toString(), List.of());
      long had = made.stream().filter(PlatformCall::effect).count();
      boolean succeeded = operation.state().equals("succeeded");
      if (had > 1 || (succeeded && had == 0)) {
        effects.add(operation.id() + " (" + operation.state() + ") had " + had + " effects");
      }
      if (!succeeded) {
        unfinished.add(operation.id() + " is " + operation.state());
      }
      extraCalls += Math.max(0, made.size() - 1);
    }
    answered.forEach(
        (request, told) -> {
          OperationFacts operation = byRequest.get(request);
          if (operation == null || !operation.id().toString().equals(told)) {
            executions.add(
                request
                    + " was answered with operation "
                    + told
                    + ", the database has "
                    + (operation == null ? "none" : operation.id()));
          }
        });
    return new EffectResult(
        operations.size(),
        extraCalls,
        effects.finding(),
        executions.finding(),
        unfinished.finding());
  }
}

package dev.onceward.worker;

import dev.onceward.worker.handle.EventHandler;
import dev.onceward.worker.handle.HandledType;
import dev.onceward.worker.handle.HandlerResult;
import dev.onceward.worker.handle.TaskAttempt;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A handler that does what the test says and keeps books of its calls. */
final class ScriptedHandler implements EventHandler {

  static final String EVENT_TYPE = "thing.wanted";
  static final String AGGREGATE_TYPE = "thing";
  static final String KIND = "do_thing";

  interface Script {
    HandlerResult run(TaskAttempt attempt) throws Exception;
  }

  private final Script script;
  private final boolean makesOperations;
  private final List<UUID> calls = new CopyOnWriteArrayList<>();
  private final Map<String, List<UUID>> firstAttempts = new ConcurrentHashMap<>();

  ScriptedHandler(Script script) {
    this(script, false);
  }

  private ScriptedHandler(Script script, boolean makesOperations) {
    this.script = script;
    this.makesOperations = makesOperations;
  }

  /** Succeeds at once, also at events that were written without an operation. */
  static ScriptedHandler forAnyEvent() {
    return new ScriptedHandler(attempt -> HandlerResult.of(null), true);
  }

  @Override
  public boolean makesOperations() {
    return makesOperations;
  }

  /** Succeeds at once. */
  static ScriptedHandler quick() {
    return new ScriptedHandler(attempt -> HandlerResult.of(null));
  }

  @Override
  public Collection<HandledType> handledTypes() {
    return List.of(new HandledType(EVENT_TYPE, 1, AGGREGATE_TYPE, KIND));
  }

  @Override
  public HandlerResult handle(TaskAttempt attempt) throws Exception {
    UUID eventId = attempt.event().envelope().eventId();
    calls.add(eventId);
    if (attempt.operation().attempt() == 1) {
      firstAttempts
          .computeIfAbsent(
              attempt.event().envelope().aggregateId(), key -> new CopyOnWriteArrayList<>())
          .add(eventId);
    }
    return script.run(attempt);
  }

  /** The event of each call, in their order. */
  List<UUID> calls() {
    return calls;
  }

  /** How often it was called for an event. */
  long calls(UUID eventId) {
    return calls.stream().filter(eventId::equals).count();
  }

  /** The events of each aggregate in the order of their first attempts. */
  Map<String, List<UUID>> firstAttempts() {
    return firstAttempts;
  }
}

package dev.onceward.worker.handle;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Which handler is for which event type. Immutable. */
public final class HandlerRegistry {

  /**
   * A handler and the type it was found by.
   *
   * @param type what the handler said about that type
   */
  public record Registration(HandledType type, EventHandler handler) {}

  private final Map<String, Registration> byEventType;

  private HandlerRegistry(Map<String, Registration> byEventType) {
    this.byEventType = Map.copyOf(byEventType);
  }

  /**
   * Registers every type of every handler.
   *
   * @throws HandlerRegistrationException if there is no handler, a handler has no type or an empty
   *     one, or two claim the same
   */
  public static HandlerRegistry of(Collection<? extends EventHandler> handlers) {
    Map<String, Registration> byEventType = new HashMap<>();
    for (EventHandler handler : handlers) {
      Collection<HandledType> types = handler.handledTypes();
      if (types.isEmpty()) {
        throw new HandlerRegistrationException(
            "handler %s names no event type; it could never be called".formatted(name(handler)));
      }
      for (HandledType type : types) {
        check(handler, type);
        Registration earlier = byEventType.put(type.eventType(), new Registration(type, handler));
        if (earlier != null) {
          throw new HandlerRegistrationException(
              "event type %s is registered twice, by %s and by %s; keep one of them"
                  .formatted(type.eventType(), name(earlier.handler()), name(handler)));
        }
      }
    }
    if (byEventType.isEmpty()) {
      throw new HandlerRegistrationException(
          "no handler is registered; put a jar with a %s service on the class path"
              .formatted(HandlerProvider.class.getName()));
    }
    return new HandlerRegistry(byEventType);
  }

  private static void check(EventHandler handler, HandledType type) {
    String missing =
        type.eventType().isBlank()
            ? "an empty event type"
            : type.aggregateType().isBlank()
                ? "event type %s without an aggregate type".formatted(type.eventType())
                : type.operationKind() != null && type.operationKind().isBlank()
                    ? "event type %s without an operation kind".formatted(type.eventType())
                    : null;
    if (missing != null) {
      throw new HandlerRegistrationException(
          "handler %s registers %s".formatted(name(handler), missing));
    }
    if (type.newestPayloadVersion() < 1) {
      throw new HandlerRegistrationException(
          "handler %s reads event type %s up to payload version %d; versions begin at 1"
              .formatted(name(handler), type.eventType(), type.newestPayloadVersion()));
    }
  }

  private static String name(EventHandler handler) {
    return handler.getClass().getName();
  }

  /** The handler of an event type; null if none is registered. */
  public @Nullable Registration find(String eventType) {
    return byEventType.get(eventType);
  }

  /** Every registered type: their topics are to be read. */
  public Set<HandledType> types() {
    Set<HandledType> types = new HashSet<>();
    byEventType.values().forEach(registration -> types.add(registration.type()));
    return types;
  }

  /** The kinds of operation that can be worked on here. */
  public Set<String> operationKinds() {
    Set<String> kinds = new HashSet<>();
    for (Registration registration : byEventType.values()) {
      String kind = registration.type().operationKind();
      if (kind != null) {
        kinds.add(kind);
      }
    }
    return kinds;
  }

  /** For the log at the start: each event type with its handler's class. */
  @Override
  public String toString() {
    Map<String, String> names = new TreeMap<>();
    byEventType.forEach((type, registration) -> names.put(type, name(registration.handler())));
    return names.toString();
  }
}

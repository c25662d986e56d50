package dev.onceward.ops.event;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known about one thing. Immutable.
 *
 * @param foundAs what the id is that led here
 * @param requests that wrote its events, oldest first
 * @param operation what a worker does; null if the event asks for none
 * @param events of the operation, oldest first, or the one event
 * @param kafkaNote why Kafka could not be asked, or not all of it; null if it could
 */
public record Life(
    UUID workspaceId,
    String foundAs,
    List<RequestLife> requests,
    @Nullable OperationLife operation,
    List<EventLife> events,
    @Nullable String kafkaNote) {

  public Life {
    requests = List.copyOf(requests);
    events = List.copyOf(events);
  }

  /** The newest event; null if there is none. */
  @Nullable EventLife newest() {
    OperationLife of = operation;
    if (of != null) {
      for (EventLife event : events) {
        if (event.id().equals(of.eventId())) {
          return event;
        }
      }
    }
    return events.isEmpty() ? null : events.get(events.size() - 1);
  }

  Life withKafka(List<EventLife> traced, @Nullable String note) {
    return new Life(workspaceId, foundAs, requests, operation, traced, note);
  }
}

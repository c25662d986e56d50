package dev.onceward.relay.publish;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Kafka refuses an event for what it is; offering it again does not help. */
public final class UnpublishableEventException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final UUID eventId;

  /**
   * @param reason what is wrong with the event, without its content
   */
  public UnpublishableEventException(UUID eventId, String reason, @Nullable Throwable cause) {
    super("Event " + eventId + " cannot be published: " + reason, cause);
    this.eventId = eventId;
  }

  public UUID eventId() {
    return eventId;
  }
}

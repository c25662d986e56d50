package dev.onceward.worker.claim;

import dev.onceward.event.Envelope;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Puts an event's ids on every log line of this thread until it is closed. */
public final class LogContext implements AutoCloseable {

  private static final String EVENT_ID = "event_id";
  private static final String OPERATION_ID = "operation_id";
  private static final String REQUEST_ID = "request_id";
  private static final String CORRELATION_ID = "correlation_id";
  private static final String WORKSPACE_ID = "workspace_id";

  private LogContext() {}

  /** The ids that the event carries. */
  public static LogContext of(Envelope envelope) {
    MDC.put(EVENT_ID, envelope.eventId().toString());
    MDC.put(WORKSPACE_ID, envelope.workspaceId().toString());
    put(REQUEST_ID, envelope.requestId());
    put(CORRELATION_ID, envelope.correlationId());
    return new LogContext();
  }

  private static void put(String name, @Nullable String value) {
    if (value != null) {
      MDC.put(name, value);
    }
  }

  /** The operation's id, once it is known. */
  void operation(UUID operationId) {
    MDC.put(OPERATION_ID, operationId.toString());
  }

  @Override
  public void close() {
    MDC.remove(EVENT_ID);
    MDC.remove(OPERATION_ID);
    MDC.remove(REQUEST_ID);
    MDC.remove(CORRELATION_ID);
    MDC.remove(WORKSPACE_ID);
  }
}

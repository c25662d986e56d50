package dev.onceward.event;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** Names of the record headers. All values are UTF-8 text. */
public final class EventHeaders {
  /** The event's type. On every record. */
  public static final String EVENT_TYPE = "event_type";

  /** The workspace's id, 36 characters. On every record. */
  public static final String WORKSPACE_ID = "workspace_id";

  /** The payload's version in decimal. On every record. */
  public static final String PAYLOAD_VERSION = "payload_version";

  /** W3C trace context of the request that wrote the event. Only where the writer gave one. */
  public static final String TRACEPARENT = "traceparent";

  /** Id of the operator's replay that sent the record again. */
  public static final String REPLAY_ID = "replay_id";

  /** Marks a record that the relay's audit found missing and sent late. */
  public static final String AUDIT_REPAIR = "audit_repair";

  private EventHeaders() {}

  /**
   * Reads one header.
   *
   * @return the text of the last header of that name; empty if there is none or it has no value
   */
  public static Optional<String> text(Headers headers, String name) {
    Header header = headers.lastHeader(name);
    if (header == null || header.value() == null) {
      return Optional.empty();
    }
    return Optional.of(new String(header.value(), StandardCharsets.UTF_8));
  }
}

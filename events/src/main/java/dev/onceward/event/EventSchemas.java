package dev.onceward.event;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The JSON Schemas (draft 2020-12) of the envelope and of each event type's payload by version, as
 * text: a consumer hands them to the validator of its choice. {@code asyncapi.yaml} beside this
 * class names them all.
 *
 * <p>They let members through that they do not list, since a version may gain some.
 */
public final class EventSchemas {
  // The outbox table's rule for event types; nothing else becomes part of a file name.
  private static final Pattern EVENT_TYPE = Pattern.compile("[a-z][a-z0-9_]*(\\.[a-z0-9_]+)*");

  private EventSchemas() {}

  /** The schema of the record's value. */
  public static String envelope() {
    return read("envelope.schema.json")
        .orElseThrow(() -> new IllegalStateException("the jar lacks envelope.schema.json"));
  }

  /**
   * The schema of a payload.
   *
   * @return empty if this version of the library knows no such type or no such version of it
   */
  public static Optional<String> find(String eventType, int payloadVersion) {
    return EVENT_TYPE.matcher(eventType).matches()
        ? read("schema/" + eventType + ".v" + payloadVersion + ".json")
        : Optional.empty();
  }

  private static Optional<String> read(String name) {
    try (InputStream file = EventSchemas.class.getResourceAsStream(name)) {
      return file == null
          ? Optional.empty()
          : Optional.of(new String(file.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + name + " from the jar", e);
    }
  }
}

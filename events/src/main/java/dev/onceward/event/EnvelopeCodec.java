package dev.onceward.event;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Envelopes to record values and back. The payload is never parsed into objects: it is spliced in
 * as it is and cut out as it is. Stateless; any thread.
 */
public final class EnvelopeCodec {
  /** RFC 3339 with exactly three digits of fraction, in UTC. */
  private static final DateTimeFormatter MILLISECONDS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  private static final int USUAL_SIZE_WITHOUT_PAYLOAD_BYTES = 640;

  private EnvelopeCodec() {}

  /**
   * The value of the record: one JSON object in UTF-8, without members that are null.
   *
   * @throws IllegalArgumentException if a text member holds an unpaired surrogate
   */
  public static byte[] encode(Envelope envelope) {
    byte[] payload = envelope.payload().sharedBytes();
    ObjectWriter out = new ObjectWriter(USUAL_SIZE_WITHOUT_PAYLOAD_BYTES + payload.length);
    out.text(EnvelopeMember.EVENT_ID, envelope.eventId().toString());
    out.text(EnvelopeMember.EVENT_TYPE, envelope.eventType());
    out.raw(
        EnvelopeMember.PAYLOAD_VERSION,
        Integer.toString(envelope.payloadVersion()).getBytes(StandardCharsets.US_ASCII));
    out.text(EnvelopeMember.WORKSPACE_ID, envelope.workspaceId().toString());
    out.text(EnvelopeMember.AGGREGATE_TYPE, envelope.aggregateType());
    out.text(EnvelopeMember.AGGREGATE_ID, envelope.aggregateId());
    out.text(EnvelopeMember.RESOURCE_TYPE, envelope.resourceType());
    out.text(EnvelopeMember.RESOURCE_ID, envelope.resourceId());
    out.text(EnvelopeMember.BUSINESS_KEY, envelope.businessKey());
    out.text(EnvelopeMember.REQUEST_ID, envelope.requestId());
    out.text(EnvelopeMember.CORRELATION_ID, envelope.correlationId());
    out.text(EnvelopeMember.OCCURRED_AT, MILLISECONDS.format(envelope.occurredAt()));
    out.raw(EnvelopeMember.PAYLOAD, payload);
    return out.end();
  }

  /**
   * Reads the value of a record.
   *
   * @param value the record's value; null (a tombstone) is undecodable
   * @throws UndecodableRecordException if it is no envelope; reading it again will not help
   */
  public static Envelope decode(byte @Nullable [] value) throws UndecodableRecordException {
    return EnvelopeReader.read(value);
  }

  /** Writes one flat object. Confined to one call. */
  private static final class ObjectWriter {
    private final ByteArrayOutputStream out;

    ObjectWriter(int expectedBytes) {
      out = new ByteArrayOutputStream(expectedBytes);
    }

    void text(EnvelopeMember member, @Nullable String value) {
      if (value != null) {
        name(member);
        out.write('"');
        out.writeBytes(JsonStringEncoder.getInstance().quoteAsUTF8(value));
        out.write('"');
      }
    }

    void raw(EnvelopeMember member, byte[] json) {
      name(member);
      out.writeBytes(json);
    }

    private void name(EnvelopeMember member) {
      out.write(out.size() == 0 ? '{' : ',');
      out.write('"');
      out.writeBytes(member.jsonName().getBytes(StandardCharsets.US_ASCII));
      out.write('"');
      out.write(':');
    }

    byte[] end() {
      out.write('}');
      return out.toByteArray();
    }
  }
}

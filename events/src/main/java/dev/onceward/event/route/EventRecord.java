package dev.onceward.event.route;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * A record ready to be sent. Not copied defensively: whoever gets one leaves its arrays alone.
 *
 * @param eventId the event, for log lines and acknowledgements
 * @param topic where it goes
 * @param partition and to which partition
 * @param key the event id as 36 ASCII characters
 * @param value the encoded envelope
 * @param headers in the order in which they are sent
 */
@SuppressWarnings("ArrayRecordComponent") // Sent as it is, never compared; a copy per event costs.
public record EventRecord(
    UUID eventId, String topic, int partition, byte[] key, byte[] value, List<Header> headers) {

  /** Size of key, value and headers, as a broker's limits count them (its own few bytes apart). */
  public int sizeBytes() {
    int size = key.length + value.length;
    for (Header header : headers) {
      size += header.key().length() + header.value().length;
    }
    return size;
  }

  /** The same record with one more header of UTF-8 text. */
  public EventRecord withHeader(String name, String text) {
    List<Header> more = new ArrayList<>(headers);
    more.add(new RecordHeader(name, text.getBytes(StandardCharsets.UTF_8)));
    return new EventRecord(eventId, topic, partition, key, value, List.copyOf(more));
  }

  /** Names the event, never its content. */
  @Override
  public String toString() {
    return "EventRecord[" + eventId + " to " + topic + "-" + partition + "]";
  }
}

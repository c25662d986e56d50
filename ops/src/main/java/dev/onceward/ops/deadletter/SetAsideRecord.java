package dev.onceward.ops.deadletter;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.onceward.event.DeadLetterHeaders;
import dev.onceward.event.EventHeaders;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** Reads what a record in a dead-letter topic says about itself. Anybody may write there. */
final class SetAsideRecord {

  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
  private static final int UUID_LENGTH = 36;

  private SetAsideRecord() {}

  /** Where a record came from. */
  record Origin(String topic, int partition) {}

  static DeadLetter describe(ConsumerRecord<byte[], byte[]> record, UUID topicId, String state) {
    Headers headers = record.headers();
    RecordPlace place =
        new RecordPlace(record.topic(), topicId, record.partition(), record.offset());
    byte @Nullable [] key = record.key();
    return new DeadLetter(
        DeadLetterKind.RECORD,
        place.id(),
        state,
        uuid(EventHeaders.text(headers, EventHeaders.WORKSPACE_ID).orElse("")),
        key == null ? null : uuid(new String(key, US_ASCII)),
        null,
        EventHeaders.text(headers, EventHeaders.EVENT_TYPE).orElse(null),
        EventHeaders.text(headers, DeadLetterHeaders.REASON).orElse("-"),
        EventHeaders.text(headers, DeadLetterHeaders.MESSAGE).orElse(null),
        1,
        Math.max(0, timesSetAside(headers) - 1),
        at(record),
        place);
  }

  /** Empty if the record does not say it. */
  static Optional<Origin> origin(Headers headers) {
    Optional<String> topic = EventHeaders.text(headers, DeadLetterHeaders.TOPIC);
    Optional<String> partition =
        EventHeaders.text(headers, DeadLetterHeaders.PARTITION)
            .filter(text -> NUMBER.matcher(text).matches());
    return topic.isPresent() && partition.isPresent()
        ? Optional.of(new Origin(topic.get(), Integer.parseInt(partition.get())))
        : Optional.empty();
  }

  /** Each time adds a reason, and a redrive takes none away. */
  private static int timesSetAside(Headers headers) {
    int times = 0;
    for (Header ignored : headers.headers(DeadLetterHeaders.REASON)) {
      times++;
    }
    return times;
  }

  private static Instant at(ConsumerRecord<byte[], byte[]> record) {
    try {
      return Instant.parse(EventHeaders.text(record.headers(), DeadLetterHeaders.AT).orElse(""));
    } catch (DateTimeException notSaid) {
      return Instant.ofEpochMilli(record.timestamp());
    }
  }

  private static @Nullable UUID uuid(String text) {
    try {
      return text.length() == UUID_LENGTH ? UUID.fromString(text) : null;
    } catch (IllegalArgumentException none) {
      return null;
    }
  }
}

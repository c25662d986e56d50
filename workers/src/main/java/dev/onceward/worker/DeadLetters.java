package dev.onceward.worker;

import dev.onceward.worker.consume.Disposition;
import dev.onceward.worker.deadletter.DeadLetterException;
import dev.onceward.worker.deadletter.DeadLetterPublisher;
import dev.onceward.worker.deadletter.DeadLetterReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sets records aside and says what is then to be done about them. Thread-safe. */
final class DeadLetters {

  private static final Logger log = LoggerFactory.getLogger(DeadLetters.class);
  private static final Duration AFTER_REFUSAL = Duration.ofSeconds(1);

  private final DeadLetterPublisher publisher;
  private final MeterRegistry registry;

  DeadLetters(DeadLetterPublisher publisher, MeterRegistry registry) {
    this.publisher = publisher;
    this.registry = registry;
  }

  /** Begins a topic's counters at 0, so that the first dead letter is seen to rise. */
  void expect(String topic) {
    for (DeadLetterReason reason : DeadLetterReason.values()) {
      counter(topic, reason);
    }
  }

  /** Acknowledged once the dead letter is stored; offered again until it is. */
  Disposition setAside(
      ConsumerRecord<byte[], byte[]> record, DeadLetterReason reason, String message)
      throws InterruptedException {
    try {
      publisher.publish(record, reason, message);
    } catch (DeadLetterException refused) {
      log.warn(
          "{}; its partition {}-{} is not committed past topic offset {} until it can",
          refused.getMessage(),
          record.topic(),
          record.partition(),
          record.offset());
      return Disposition.again(AFTER_REFUSAL);
    }
    counter(record.topic(), reason).increment();
    log.warn(
        "set aside {}-{} topic offset {}: {} ({})",
        record.topic(),
        record.partition(),
        record.offset(),
        reason,
        message);
    return Disposition.ACKNOWLEDGED;
  }

  private Counter counter(String topic, DeadLetterReason reason) {
    return registry.counter(
        "onceward.worker.dead.letters", "topic", topic, "reason", reason.name());
  }
}

package dev.onceward.bench.relay;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Records of the limit's size without PostgreSQL in front of them: what Kafka and its client alone
 * leave to anybody.
 */
public final class ProducerMain {
  private static final int PAYLOAD_BYTES = 300;

  private ProducerMain() {}

  /** Sends as many as the only argument says, and runs until it is killed. */
  public static void main(String... arguments) throws InterruptedException {
    ClientSettings settings = ClientSettings.taken();
    int events = Integer.parseInt(arguments[0]);
    byte[] payload = "x".repeat(PAYLOAD_BYTES).getBytes(StandardCharsets.US_ASCII);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            settings.producer(), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int event = 0; event < events; event++) {
        byte[] key = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);
        var unused =
            producer.send(
                new ProducerRecord<>(
                    settings.topic(), event % settings.partitions(), key, payload));
      }
      producer.flush();
      new CountDownLatch(1).await();
    }
  }
}

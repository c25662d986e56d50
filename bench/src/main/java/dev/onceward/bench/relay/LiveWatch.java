package dev.onceward.bench.relay;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** The consumer: when each marked record has arrived. Thread-safe. */
final class LiveWatch implements AutoCloseable {
  private static final Pattern MARK = Pattern.compile("mark(\\d+)z");
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration LOOK = Duration.ofMillis(5);

  private final Map<Long, Long> arrivedNanos = new ConcurrentHashMap<>();
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Thread thread = new Thread(this::watch, "bench-consumer");
  private volatile boolean closing;

  LiveWatch(Lane lane) {
    consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", lane.servers().bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        IntStream.range(0, Backlog.PARTITIONS)
            .mapToObj(partition -> new TopicPartition(lane.topic(), partition))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    thread.start();
  }

  /** What a row's payload must hold so that it is recognised. */
  static String mark(long number) {
    return "mark" + number + "z";
  }

  private void watch() {
    while (!closing) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        long now = System.nanoTime();
        Matcher mark = MARK.matcher(new String(record.value(), StandardCharsets.ISO_8859_1));
        if (mark.find()) {
          arrivedNanos.putIfAbsent(Long.valueOf(mark.group(1)), now);
        }
      }
    }
    consumer.close();
  }

  /** When it arrived, by {@link System#nanoTime}; null if it has not. */
  @Nullable Long arrived(long number) {
    return arrivedNanos.get(number);
  }

  /** Waits for one; whether it came. */
  boolean await(long number, Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!arrivedNanos.containsKey(number)) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      Thread.sleep(LOOK.toMillis());
    }
    return true;
  }

  @Override
  public void close() throws InterruptedException {
    closing = true;
    thread.join();
  }
}

package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.test.MigratedDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * How long the events of one quiet workspace take from the call that writes them to a consumer of
 * their topic, while others do what they do.
 */
final class TestLatencies implements AutoCloseable {
  private static final String AGGREGATE_TYPE = "invoice";

  private final TestOutbox outbox;
  private final Connection connection;
  private final Map<UUID, Long> begunNanos = new ConcurrentHashMap<>();
  private final List<Duration> taken = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor();
  private final ScheduledFuture<?> writing;
  private volatile boolean closed;

  private TestLatencies(
      MigratedDatabase database, String bootstrapServers, String prefix, Duration pace)
      throws SQLException {
    this.outbox = new TestOutbox(database);
    this.connection = outbox.begin();
    Thread reader = new Thread(() -> read(bootstrapServers, prefix + AGGREGATE_TYPE), "latencies");
    reader.setDaemon(true);
    reader.start();
    this.writing =
        writer.scheduleAtFixedRate(this::write, 0, pace.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** An event for the topic "invoice", which must exist, at each beat. */
  static TestLatencies start(
      MigratedDatabase database, String bootstrapServers, String prefix, Duration pace)
      throws SQLException {
    return new TestLatencies(database, bootstrapServers, prefix, pace);
  }

  private void write() {
    NewEvent event = NewEvent.of("order.placed", AGGREGATE_TYPE, "quiet", "1");
    begunNanos.put(event.id(), System.nanoTime());
    try {
      outbox.append(connection, List.of(event));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void read(String bootstrapServers, String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrapServers),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      while (!closed) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
          Long begun = begunNanos.remove(TestRecords.id(record));
          if (begun != null) {
            taken.add(Duration.ofNanos(System.nanoTime() - begun));
          }
        }
      }
    }
  }

  int arrived() {
    return taken.size();
  }

  /** Ends the writing and waits for the last event. */
  Taken finish(Duration atMost) throws InterruptedException {
    assertThat(writing.isDone()).as("the writer has failed").isFalse();
    writing.cancel(false);
    writer.shutdown();
    assertThat(writer.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    await().atMost(atMost).until(begunNanos::isEmpty);
    List<Duration> sorted = new ArrayList<>(taken);
    sorted.sort(null);
    return new Taken(sorted);
  }

  /** How long each took, in ascending order. */
  record Taken(List<Duration> ascending) {
    Duration percentile(int percent) {
      return ascending.get((ascending.size() - 1) * percent / 100);
    }

    Duration longest() {
      return ascending.get(ascending.size() - 1);
    }

    @Override
    public String toString() {
      return "%d events, p50 %d ms, p99 %d ms, at most %d ms"
          .formatted(
              ascending.size(),
              percentile(50).toMillis(),
              percentile(99).toMillis(),
              longest().toMillis());
    }
  }

  @Override
  public void close() throws SQLException {
    writer.shutdownNow();
    closed = true;
    connection.close();
  }
}

package dev.onceward.bench.relay;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;

/** Looks for unsent rows, sends them, waits, marks them, commits, and looks again. */
public final class PollingMain {
  /** Only when nothing was found: a backlog is worked off without a pause. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  private static final String CLAIM =
      """
      SELECT number, id::text, aggregate_id, payload::text FROM polled_events
      WHERE sent_at IS NULL ORDER BY number LIMIT ? FOR UPDATE SKIP LOCKED
      """;

  private static final String MARK =
      "UPDATE polled_events SET sent_at = now() WHERE number = ANY (?)";

  private PollingMain() {}

  /** Runs until it is killed. The argument says how many rows it takes at a time. */
  public static void main(String... arguments)
      throws SQLException, InterruptedException, ExecutionException {
    int batch = Integer.parseInt(arguments[0]);
    ClientSettings settings = ClientSettings.taken();
    try (Connection connection =
            DriverManager.getConnection(settings.url(), settings.user(), settings.password());
        PreparedStatement claim = connection.prepareStatement(CLAIM);
        PreparedStatement mark = connection.prepareStatement(MARK);
        KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(
                settings.producer(), new ByteArraySerializer(), new ByteArraySerializer())) {
      connection.setAutoCommit(false);
      claim.setInt(1, batch);
      while (true) {
        List<Long> sent = send(claim, producer, settings);
        if (!sent.isEmpty()) {
          mark.setArray(1, connection.createArrayOf("bigint", sent.toArray()));
          mark.executeUpdate();
        }
        connection.commit();
        if (sent.isEmpty()) {
          Thread.sleep(PAUSE.toMillis());
        }
      }
    }
  }

  private static List<Long> send(
      PreparedStatement claim, KafkaProducer<byte[], byte[]> producer, ClientSettings settings)
      throws SQLException, InterruptedException, ExecutionException {
    List<Long> numbers = new ArrayList<>();
    List<Future<?>> sending = new ArrayList<>();
    try (ResultSet row = claim.executeQuery()) {
      while (row.next()) {
        numbers.add(row.getLong(1));
        sending.add(
            producer.send(
                new ProducerRecord<>(
                    settings.topic(),
                    Utils.toPositive(Utils.murmur2(bytes(row.getString(3))))
                        % settings.partitions(),
                    bytes(row.getString(2)),
                    bytes(row.getString(4)))));
      }
    }
    producer.flush();
    for (Future<?> one : sending) {
      one.get();
    }
    return numbers;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

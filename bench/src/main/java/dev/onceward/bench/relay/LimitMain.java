package dev.onceward.bench.relay;

import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;
import org.postgresql.replication.LogSequenceNumber;
import org.postgresql.replication.PGReplicationStream;

/**
 * The least that brings outbox rows from the log to Kafka: it takes key and payload out of each
 * insert and nothing else, makes no record of ours and checks nothing. What it reaches is what the
 * driver, PostgreSQL, Kafka's client and the machine leave to anybody.
 */
public final class LimitMain {
  private static final int CONFIRM_EVERY = 8_192;

  // Where the published columns stand in the publication's column list.
  private static final int KEY = 0;
  private static final int AGGREGATE_ID = 5;
  private static final int PAYLOAD = 12;

  private LimitMain() {}

  /** Runs until it is killed. */
  public static void main(String... arguments) throws SQLException {
    ClientSettings settings = ClientSettings.taken();
    Properties properties = new Properties();
    PGProperty.USER.set(properties, settings.user());
    PGProperty.PASSWORD.set(properties, settings.password());
    PGProperty.REPLICATION.set(properties, "database");
    PGProperty.PREFER_QUERY_MODE.set(properties, "simple");
    PGProperty.ASSUME_MIN_SERVER_VERSION.set(properties, "14");
    try (Connection connection = DriverManager.getConnection(settings.url(), properties);
        PGReplicationStream stream =
            connection
                .unwrap(PGConnection.class)
                .getReplicationAPI()
                .replicationStream()
                .logical()
                .withSlotName(settings.slot())
                .withSlotOption("proto_version", 1)
                .withSlotOption("publication_names", Backlog.PUBLICATION)
                .withAutomaticFlush(false)
                .start();
        KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(
                settings.producer(), new ByteArraySerializer(), new ByteArraySerializer())) {
      forward(settings, stream, producer);
    }
  }

  private static void forward(
      ClientSettings settings, PGReplicationStream stream, KafkaProducer<byte[], byte[]> producer)
      throws SQLException {
    int unconfirmed = 0;
    while (true) {
      ByteBuffer message = stream.read();
      byte kind = message.get();
      if (kind == 'I') {
        unconfirmed++;
        var unused = producer.send(record(message, settings));
      } else if (kind == 'C' && unconfirmed >= CONFIRM_EVERY) {
        producer.flush();
        message.position(message.position() + 1 + Long.BYTES);
        stream.setFlushedLSN(LogSequenceNumber.valueOf(message.getLong()));
        unconfirmed = 0;
      }
    }
  }

  private static ProducerRecord<byte[], byte[]> record(
      ByteBuffer message, ClientSettings settings) {
    message.position(message.position() + Integer.BYTES + 1);
    int columns = message.getShort();
    byte[] key = {};
    byte[] payload = {};
    int hash = 0;
    for (int column = 0; column < columns; column++) {
      if (message.get() != 't') {
        continue; // Null.
      }
      int length = message.getInt();
      switch (column) {
        case KEY -> key = take(message, length);
        case AGGREGATE_ID -> hash = Utils.murmur2(take(message, length));
        case PAYLOAD -> payload = take(message, length);
        default -> message.position(message.position() + length);
      }
    }
    return new ProducerRecord<>(
        settings.topic(), Utils.toPositive(hash) % settings.partitions(), key, payload);
  }

  private static byte[] take(ByteBuffer message, int length) {
    byte[] bytes = new byte[length];
    message.get(bytes);
    return bytes;
  }
}

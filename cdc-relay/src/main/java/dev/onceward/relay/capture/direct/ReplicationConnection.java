package dev.onceward.relay.capture.direct;

import dev.onceward.relay.capture.CaptureSettings;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;
import org.postgresql.replication.LogSequenceNumber;
import org.postgresql.replication.PGReplicationStream;

/** A connection that streams from the slot. Confined to one thread, except {@link #abort}. */
final class ReplicationConnection implements AutoCloseable {
  /** How long PostgreSQL may take to answer while the stream is set up. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * After this the driver sends a status by itself. It is also how long the rest of a message that
   * has begun may take: the driver makes it the socket's time-out.
   */
  private static final Duration STATUS_INTERVAL = Duration.ofSeconds(10);

  private final Connection connection;
  private final PGReplicationStream stream;

  private ReplicationConnection(Connection connection, PGReplicationStream stream) {
    this.connection = connection;
    this.stream = stream;
  }

  /** Streams from where the slot is confirmed. */
  static ReplicationConnection open(CaptureSettings settings) throws SQLException {
    Connection connection = DriverManager.getConnection(settings.jdbcUrl(), properties(settings));
    try {
      return new ReplicationConnection(connection, start(connection, settings));
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private static Properties properties(CaptureSettings settings) {
    Properties properties = new Properties();
    PGProperty.USER.set(properties, settings.user());
    PGProperty.PASSWORD.set(properties, settings.password().reveal());
    PGProperty.APPLICATION_NAME.set(properties, "onceward-relay-stream");
    PGProperty.REPLICATION.set(properties, "database");
    // A replication connection knows no other; and the driver must not ask for the version first.
    PGProperty.PREFER_QUERY_MODE.set(properties, "simple");
    PGProperty.ASSUME_MIN_SERVER_VERSION.set(properties, "14");
    PGProperty.TCP_KEEP_ALIVE.set(properties, true);
    int seconds = Math.toIntExact(PATIENCE.toSeconds());
    PGProperty.CONNECT_TIMEOUT.set(properties, seconds);
    PGProperty.LOGIN_TIMEOUT.set(properties, seconds);
    PGProperty.SOCKET_TIMEOUT.set(properties, seconds);
    return properties;
  }

  private static PGReplicationStream start(Connection connection, CaptureSettings settings)
      throws SQLException {
    return connection
        .unwrap(PGConnection.class)
        .getReplicationAPI()
        .replicationStream()
        .logical()
        .withSlotName(settings.slotName())
        .withSlotOption("proto_version", 1)
        .withSlotOption("publication_names", settings.publication())
        .withSlotOption("messages", true)
        .withSlotOption("binary", true)
        .withStatusInterval(Math.toIntExact(STATUS_INTERVAL.toMillis()), TimeUnit.MILLISECONDS)
        // The driver's own flush on keepalives has confirmed commits that were never delivered.
        .withAutomaticFlush(false)
        .start();
  }

  /** The next message; null if there is none within a millisecond. */
  @Nullable ByteBuffer read() throws SQLException {
    return stream.readPending();
  }

  /** Where in the log the last message came from. */
  long lastLsn() {
    return stream.getLastReceiveLSN().asLong();
  }

  /**
   * Tells PostgreSQL that we live, and what is confirmed.
   *
   * @param lsn everything that ended up to here is safe elsewhere; 0 for nothing yet
   */
  void confirm(long lsn) throws SQLException {
    stream.setFlushedLSN(LogSequenceNumber.valueOf(lsn));
    stream.setAppliedLSN(LogSequenceNumber.valueOf(lsn));
    stream.forceUpdateStatus();
  }

  /** Ends the connection at once, even while another thread uses it. Idempotent. */
  void abort() throws SQLException {
    connection.abort(Runnable::run);
  }

  /** Ends the connection after what was sent. Idempotent. */
  @Override
  public void close() throws SQLException {
    connection.close();
  }
}

package dev.onceward.event.inbox;

import dev.onceward.event.Envelope;
import dev.onceward.event.EnvelopeCodec;
import dev.onceward.event.UndecodableRecordException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads events one after another and has each of them take effect once. Confined to one thread,
 * like the Kafka client that it is given.
 */
public final class InboxReader {

  /** What an event does to the consumer's own database. */
  @FunctionalInterface
  public interface Work {
    /**
     * Applies the event. It neither commits nor closes the connection; whatever it throws rolls the
     * transaction back.
     */
    void apply(Connection connection, Envelope event) throws SQLException;
  }

  /** What is done about a record that is no event: it is passed over afterwards. */
  @FunctionalInterface
  public interface Unreadable {
    /**
     * Keeps the record, for example by a row in a table of its own.
     *
     * @param why its reason is a stable code, its message holds nothing of the record
     */
    void keep(
        Connection connection,
        ConsumerRecord<byte[], byte[]> record,
        UndecodableRecordException why)
        throws SQLException;
  }

  private final Consumer<byte[], byte[]> client;
  private final DataSource database;
  private final Inbox inbox;
  private final Work work;
  private final Unreadable unreadable;

  /**
   * Makes a reader.
   *
   * @param client subscribed, with {@code enable.auto.commit=false} and {@code
   *     auto.offset.reset=earliest}
   * @param database the consumer's own, with the inbox table
   */
  public InboxReader(
      Consumer<byte[], byte[]> client,
      DataSource database,
      Inbox inbox,
      Work work,
      Unreadable unreadable) {
    this.client = client;
    this.database = database;
    this.inbox = inbox;
    this.work = work;
    this.unreadable = unreadable;
  }

  /**
   * Polls once, applies what came, and commits its topic offsets.
   *
   * @return how many events took effect now; those that came again are not counted
   * @throws SQLException if the database or the work failed: what came before is committed, the
   *     rest is offered again by the next call
   */
  public int runOnce(Duration wait) throws SQLException {
    ConsumerRecords<byte[], byte[]> records = client.poll(wait);
    Map<TopicPartition, OffsetAndMetadata> done = new HashMap<>();
    int applied = 0;
    try {
      for (ConsumerRecord<byte[], byte[]> record : records) {
        applied += apply(record) ? 1 : 0;
        done.put(
            new TopicPartition(record.topic(), record.partition()),
            new OffsetAndMetadata(record.offset() + 1));
      }
    } catch (SQLException | RuntimeException failure) {
      offerAgain(records, done);
      throw failure;
    } finally {
      if (!done.isEmpty()) {
        client.commitSync(done);
      }
    }
    return applied;
  }

  private boolean apply(ConsumerRecord<byte[], byte[]> record) throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        boolean applied = apply(connection, record);
        connection.commit();
        return applied;
      } catch (Throwable failure) {
        connection.rollback();
        throw failure;
      }
    }
  }

  private boolean apply(Connection connection, ConsumerRecord<byte[], byte[]> record)
      throws SQLException {
    Envelope event;
    try {
      event = EnvelopeCodec.decode(record.value());
    } catch (UndecodableRecordException why) {
      unreadable.keep(connection, record, why);
      return false;
    }
    if (!inbox.isNew(connection, event.eventId())) {
      return false;
    }
    work.apply(connection, event);
    return true;
  }

  private void offerAgain(
      ConsumerRecords<byte[], byte[]> records, Map<TopicPartition, OffsetAndMetadata> done) {
    Set<TopicPartition> held = new HashSet<>(client.assignment());
    for (TopicPartition partition : records.partitions()) {
      OffsetAndMetadata next = done.get(partition);
      if (held.contains(partition)) {
        client.seek(
            partition, next != null ? next.offset() : records.records(partition).get(0).offset());
      }
    }
  }
}

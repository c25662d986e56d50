package dev.onceward.ops.event;

import dev.onceward.db.relay.RelayControl;
import dev.onceward.db.relay.RelayProgress;
import dev.onceward.db.relay.RelayRefusedException;
import dev.onceward.ops.kafka.EventTopics;
import dev.onceward.ops.kafka.KafkaAccess;
import dev.onceward.ops.kafka.KafkaFailures;
import dev.onceward.process.Settings;
import dev.onceward.process.StartupException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** Finds what an id leads to and tells its life. Immutable; thread-safe. */
public final class EventSearch {

  private final String relay;
  private final EventTopics topics;
  private final KafkaAccess kafka;

  private EventSearch(String relay, EventTopics topics, KafkaAccess kafka) {
    this.relay = relay;
    this.topics = topics;
    this.kafka = kafka;
  }

  /**
   * A life and why it is not finished, or that it is.
   *
   * @param kafkaAway whether Kafka could not be asked; the life says why
   */
  public record Told(Life life, Why why, boolean kafkaAway) {}

  /**
   * Reads and verifies the settings.
   *
   * @throws dev.onceward.process.ConfigurationException naming everything that is wrong
   */
  public static EventSearch from(Settings settings) {
    String relay =
        settings.text("onceward.relay.slot-name", "onceward", "Replication slot of the relay.");
    EventTopics topics = EventTopics.from(settings);
    return new EventSearch(relay, topics, KafkaAccess.from(settings));
  }

  /**
   * What has the id: an event, an operation, an idempotency key or a request id, tried in this
   * order.
   *
   * @param workspaceId looks in this one only; null for all
   */
  public List<Subject> find(Connection connection, String id, @Nullable UUID workspaceId)
      throws SQLException {
    SubjectStore store = new SubjectStore(connection);
    UUID uuid = uuid(id);
    List<Subject> found = uuid == null ? List.of() : store.byId(uuid, workspaceId);
    if (found.isEmpty()) {
      found = store.byKey(id, workspaceId);
    }
    if (found.isEmpty()) {
      RelayProgress progress = RelayProgress.read(connection, relay);
      Instant since = progress.outboxSince();
      found =
          store.byRequestId(
              id, workspaceId, progress.now(), since == null ? progress.now() : since);
    }
    return found;
  }

  /**
   * Its whole life.
   *
   * @param withPayload whether payload and result are read; they may be personal
   */
  public Told tell(Connection connection, Subject subject, boolean withPayload)
      throws SQLException {
    RelayProgress progress = RelayProgress.read(connection, relay);
    Life life = new LifeStore(connection, relay, withPayload).read(subject);
    RelayControl.Relay look = look(connection);
    Traced traced = trace(life, progress);
    return new Told(traced.life, Diagnosis.of(traced.life, look, progress.now()), traced.kafkaAway);
  }

  private record Traced(Life life, boolean kafkaAway) {}

  private static @Nullable UUID uuid(String text) {
    try {
      return text.length() == 36 ? UUID.fromString(text) : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private RelayControl.@Nullable Relay look(Connection connection) throws SQLException {
    try {
      return RelayControl.look(connection, relay);
    } catch (RelayRefusedException noneHasRun) {
      return null;
    }
  }

  private Traced trace(Life life, RelayProgress progress) {
    if (life.events().isEmpty()) {
      return new Traced(life, false);
    }
    try {
      Consumer<byte[], byte[]> consumer = kafka.consumer();
      try {
        return new Traced(
            new KafkaTrace(consumer, topics, progress.pinnedPartitions()).trace(life), false);
      } finally {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
      }
    } catch (StartupException away) {
      return withoutKafka(life, away);
    } catch (KafkaException failure) {
      StartupException known = KafkaFailures.classify(failure);
      if (known == null) {
        throw failure;
      }
      return withoutKafka(life, known);
    }
  }

  private static Traced withoutKafka(Life life, StartupException why) {
    return new Traced(
        life.withKafka(life.events(), "not asked: " + why.getMessage() + ". " + why.remedy()),
        true);
  }
}

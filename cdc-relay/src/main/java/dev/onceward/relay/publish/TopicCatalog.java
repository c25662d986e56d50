package dev.onceward.relay.publish;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topics and their pinned partition counts. A topic is looked up when its first event comes,
 * and made if it is missing. Confined to one thread, except {@link #partitionCount} and {@link
 * #close}.
 */
public final class TopicCatalog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TopicCatalog.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /**
   * How topics are made.
   *
   * @param create whether the relay makes missing topics at all
   * @param partitions of a new topic
   * @param replication of a new topic
   */
  public record Creation(boolean create, int partitions, short replication) {}

  private final KafkaSettings settings;
  private final Creation creation;
  private final PartitionPins pins;
  private final PublishStatus status;
  private final Map<String, Integer> counts = new ConcurrentHashMap<>();
  private @Nullable String loggedTrouble;
  private @Nullable Admin admin;

  public TopicCatalog(
      KafkaSettings settings, Creation creation, PartitionPins pins, PublishStatus status) {
    this.settings = settings;
    this.creation = creation;
    this.pins = pins;
    this.status = status;
  }

  /**
   * Returns when all these topics exist and their partition counts are pinned, however long it
   * takes.
   *
   * @throws InterruptedException at once on an interrupt
   */
  public void ensure(Collection<String> topics) throws InterruptedException {
    for (String topic : topics) {
      while (!counts.containsKey(topic)) {
        String trouble = tryEnsure(topic);
        if (trouble != null) {
          status.retry(trouble);
          if (!trouble.equals(loggedTrouble)) {
            LOG.warn("The events of topic {} wait: {}", topic, trouble);
            loggedTrouble = trouble;
          }
          Thread.sleep(PAUSE.toMillis());
        }
      }
    }
  }

  /** Like {@link #ensure}, but looks at Kafka again even where the topic is known. */
  public void recheck(Collection<String> topics) throws InterruptedException {
    counts.keySet().removeAll(topics);
    ensure(topics);
  }

  /**
   * The pinned number of partitions.
   *
   * @throws IllegalStateException if the topic was never passed to {@link #ensure}
   */
  public int partitionCount(String topic) {
    Integer count = counts.get(topic);
    if (count == null) {
      throw new IllegalStateException("topic " + topic + " has not been looked up");
    }
    return count;
  }

  /** Null if the topic is ready, else why it is not. */
  private @Nullable String tryEnsure(String topic) throws InterruptedException {
    try {
      Optional<Integer> found = find(topic);
      if (found.isEmpty()) {
        if (!creation.create) {
          return "topic " + topic + " is missing, and onceward.relay.create-topics is false";
        }
        create(topic);
        found = find(topic);
      }
      return found.isEmpty() ? "topic " + topic + " is being made" : pin(topic, found.get());
    } catch (ExecutionException e) {
      return "topic " + topic + ": " + KafkaFailures.describe(KafkaFailures.unwrap(e));
    } catch (KafkaException e) {
      close();
      return "topic " + topic + ": " + KafkaFailures.describe(e);
    }
  }

  private @Nullable String pin(String topic, int present) {
    int pinned = pins.pin(topic, present);
    if (pinned > present) {
      return "topic "
          + topic
          + " has "
          + present
          + " partitions, but "
          + pinned
          + " are pinned for it; give it its partitions back";
    }
    if (pinned < present) {
      LOG.warn(
          "Topic {} has {} partitions, {} are pinned and used. More would move aggregates.",
          topic,
          present,
          pinned);
    }
    counts.put(topic, pinned);
    return null;
  }

  private Optional<Integer> find(String topic) throws ExecutionException, InterruptedException {
    try {
      TopicDescription found =
          admin().describeTopics(List.of(topic)).allTopicNames().get().get(topic);
      return Optional.ofNullable(found).map(description -> description.partitions().size());
    } catch (ExecutionException e) {
      Throwable cause = KafkaFailures.unwrap(e);
      if (cause instanceof UnknownTopicOrPartitionException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private void create(String topic) throws ExecutionException, InterruptedException {
    try {
      admin()
          .createTopics(List.of(new NewTopic(topic, creation.partitions, creation.replication)))
          .all()
          .get();
      LOG.info("Made topic {} with {} partitions", topic, creation.partitions);
    } catch (ExecutionException e) {
      if (!(KafkaFailures.unwrap(e) instanceof TopicExistsException)) {
        throw e;
      }
    }
  }

  private synchronized Admin admin() {
    Admin current = admin;
    if (current == null) {
      current = Admin.create(settings.admin());
      admin = current;
    }
    return current;
  }

  @Override
  public synchronized void close() {
    Admin current = admin;
    admin = null;
    if (current != null) {
      current.close(Duration.ZERO);
    }
  }
}

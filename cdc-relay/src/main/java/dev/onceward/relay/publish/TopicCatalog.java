package dev.onceward.relay.publish;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.Topic;
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
  private static final Look READY = new Look(State.READY, "");

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
  private final Map<String, Integer> counts = new ConcurrentHashMap<>();
  private @Nullable Admin admin;

  public TopicCatalog(KafkaSettings settings, Creation creation, PartitionPins pins) {
    this.settings = settings;
    this.creation = creation;
    this.pins = pins;
  }

  /** Whether a topic can be written to. */
  public enum State {
    /** It exists and its partition count is pinned. */
    READY,
    /** Not now. Failure: the cluster is away, or the topic is being made; waiting helps. */
    NOT_YET,
    /** The cluster says no. Failure: the topic is missing or forbidden; only an operator helps. */
    REFUSED,
    /** No topic can have that name. Failure: what goes there can never be sent. */
    ILLEGAL
  }

  /**
   * What a look at a topic has shown.
   *
   * @param state whether it can be written to
   * @param trouble why not, with the topic's name; empty if it is ready
   */
  public record Look(State state, String trouble) {}

  /**
   * Looks a topic up unless it is known to be ready, and makes it if it is missing and may be made.
   * Answers within seconds.
   *
   * @throws InterruptedException at once on an interrupt
   */
  public Look look(String topic) throws InterruptedException {
    if (counts.containsKey(topic)) {
      return READY;
    }
    return Topic.isValid(topic)
        ? find(topic, "topic " + topic + ": ")
        : new Look(State.ILLEGAL, "its topic's name is not legal in Kafka");
  }

  /** The next {@link #look} asks Kafka again. */
  public void forget(Collection<String> topics) {
    counts.keySet().removeAll(topics);
  }

  /**
   * The pinned number of partitions.
   *
   * @throws IllegalStateException if the topic is not {@link State#READY}
   */
  public int partitionCount(String topic) {
    Integer count = counts.get(topic);
    if (count == null) {
      throw new IllegalStateException("topic " + topic + " has not been looked up");
    }
    return count;
  }

  private Look find(String topic, String named) throws InterruptedException {
    try {
      Optional<Integer> found = find(topic);
      if (found.isEmpty()) {
        if (!creation.create) {
          return new Look(
              State.REFUSED,
              "topic " + topic + " is missing, and onceward.relay.create-topics is false");
        }
        create(topic);
        found = find(topic);
      }
      if (found.isEmpty()) {
        return new Look(State.NOT_YET, "topic " + topic + " is being made");
      }
      awaitLeaders(topic, found.get());
      return pin(topic, found.get());
    } catch (ExecutionException e) {
      Throwable cause = KafkaFailures.unwrap(e);
      boolean refused =
          KafkaFailures.refusesTopic(cause) || cause instanceof ClusterAuthorizationException;
      return new Look(
          refused ? State.REFUSED : State.NOT_YET, named + KafkaFailures.describe(cause));
    } catch (KafkaException e) {
      close();
      return new Look(State.NOT_YET, named + KafkaFailures.describe(e));
    }
  }

  /**
   * Waits until the leader of each partition answers, if it does within seconds. A broker takes a
   * producer's first batch whatever its sequence number. Right after a topic is made, the first of
   * several batches on the way can be refused as NOT_LEADER and the second accepted; then the first
   * is out of sequence for ever, and its producer tries it until it is given up.
   */
  private void awaitLeaders(String topic, int partitions) throws InterruptedException {
    Map<TopicPartition, OffsetSpec> ends =
        IntStream.range(0, partitions)
            .boxed()
            .collect(
                Collectors.toMap(
                    partition -> new TopicPartition(topic, partition),
                    partition -> OffsetSpec.latest()));
    try {
      admin().listOffsets(ends).all().get();
    } catch (ExecutionException e) {
      // One partition without a leader must not hold up the others.
      LOG.info(
          "Not every partition of topic {} answers: {}",
          topic,
          KafkaFailures.describe(KafkaFailures.unwrap(e)));
    }
  }

  private Look pin(String topic, int present) {
    int pinned = pins.pin(topic, present);
    if (pinned > present) {
      return new Look(
          State.REFUSED,
          "topic "
              + topic
              + " has "
              + present
              + " partitions, but "
              + pinned
              + " are pinned for it; give it its partitions back");
    }
    if (pinned < present) {
      LOG.warn(
          "Topic {} has {} partitions, {} are pinned and used. More would move aggregates.",
          topic,
          present,
          pinned);
    }
    counts.put(topic, pinned);
    return READY;
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

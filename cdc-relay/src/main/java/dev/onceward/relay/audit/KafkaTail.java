package dev.onceward.relay.audit;

import dev.onceward.event.Envelope;
import dev.onceward.event.EnvelopeCodec;
import dev.onceward.event.UndecodableRecordException;
import dev.onceward.event.route.TopicNames;
import dev.onceward.relay.publish.PartitionReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads back what Kafka holds: beyond the stored positions at the beginning of a term, and what the
 * ledger has no room for at a step of the audit. Stateless.
 */
public final class KafkaTail {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaTail.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** Of an event id's text, which is the key of its record. */
  private static final int ID_LENGTH = 36;

  private final Properties admin;
  private final Properties consumer;
  private final TopicNames topicNames;
  private final int limit;

  /**
   * @param admin settings of an admin client
   * @param consumer settings of a consumer
   * @param topicNames the topics that events go to
   * @param limit how many events are remembered one by one
   */
  public KafkaTail(Properties admin, Properties consumer, TopicNames topicNames, int limit) {
    this.admin = admin;
    this.consumer = consumer;
    this.topicNames = topicNames;
    this.limit = limit;
  }

  /**
   * A ledger for a term that begins now and knows what Kafka holds.
   *
   * @throws InterruptedException at once on an interrupt
   */
  public DeliveryLedger ledger(StoredAudit stored) throws InterruptedException {
    return new DeliveryLedger(
        patiently(() -> readOnce(stored.topics(), stored.positions())), limit);
  }

  /**
   * Strikes those candidates that Kafka holds within their stretches.
   *
   * @return how many records were read
   * @throws InterruptedException at once on an interrupt
   */
  long strike(List<Stretch> stretches, Candidates candidates) throws InterruptedException {
    return patiently(() -> strikeOnce(stretches, candidates));
  }

  /** Something to ask of Kafka. */
  @FunctionalInterface
  private interface Question<T> {
    T ask() throws ExecutionException, InterruptedException;
  }

  /** Asks until Kafka answers, however long it is away. */
  private static <T> T patiently(Question<T> question) throws InterruptedException {
    while (true) {
      try {
        return question.ask();
      } catch (InterruptException e) {
        Thread.interrupted(); // InterruptException has set it again.
        throw new InterruptedException("interrupted while reading Kafka back");
      } catch (ExecutionException | KafkaException e) {
        LOG.warn("Kafka could not be read back and is asked again: {}", e.getMessage());
        Thread.sleep(PAUSE.toMillis());
      }
    }
  }

  /**
   * Reads until it has come to where each partition ended at the beginning.
   *
   * @param pinned topics that must be looked at besides those with our names
   * @param stored from where, or null to read everything
   */
  private KnownEvents readOnce(Set<String> pinned, @Nullable KafkaPositions stored)
      throws ExecutionException, InterruptedException {
    String clusterId;
    Map<String, TopicDescription> topics;
    try (Admin client = Admin.create(admin)) {
      clusterId = client.describeCluster().clusterId().get();
      topics = describe(client, ours(client, pinned));
    }
    Map<String, String> topicIds = new HashMap<>();
    topics.forEach((name, topic) -> topicIds.put(name, topic.topicId().toString()));
    try (KafkaConsumer<byte[], byte[]> client =
        new KafkaConsumer<>(consumer, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions = partitions(topics);
      Map<TopicPartition, Long> ends = client.endOffsets(partitions);
      Map<TopicPartition, Long> starts = client.beginningOffsets(partitions);
      if (stored != null && stored.clusterId().equals(clusterId)) {
        starts.replaceAll(
            (partition, beginning) ->
                startOf(partition, beginning, ends, stored, topicIds.get(partition.topic())));
      }
      Map<TopicPartition, Long> newest = KnownEvents.newest(starts, ends, limit);
      EventIds ids = read(client, newest, ends);
      LOG.info("Read {} events back from {} partitions of Kafka", ids.size(), partitions.size());
      if (!newest.equals(starts)) {
        LOG.info(
            "Kafka holds more that is not audited than is remembered"
                + " (onceward.relay.audit-remembered-events is {}); the audit will read the older"
                + " part",
            limit);
      }
      return new KnownEvents(ids, newest, starts, new KafkaPositions(clusterId, topicIds, ends));
    }
  }

  private static long startOf(
      TopicPartition partition,
      long beginning,
      Map<TopicPartition, Long> ends,
      KafkaPositions stored,
      @Nullable String topicId) {
    Long offset = stored.offset(partition);
    if (offset == null
        || topicId == null
        || !topicId.equals(stored.topicId(partition.topic()))
        // A partition that lost its end was truncated or restored.
        || offset > ends.getOrDefault(partition, 0L)) {
      return beginning;
    }
    return Math.max(offset, beginning);
  }

  private Set<String> ours(Admin client, Set<String> pinned)
      throws ExecutionException, InterruptedException {
    Set<String> present = client.listTopics().names().get();
    Set<String> ours = new TreeSet<>(pinned);
    ours.addAll(topicNames.routes().values());
    for (String topic : present) {
      if (topic.startsWith(topicNames.prefix()) && !TopicNames.isDeadLetter(topic)) {
        ours.add(topic);
      }
    }
    ours.retainAll(present);
    return ours;
  }

  private static Map<String, TopicDescription> describe(Admin client, Collection<String> topics)
      throws ExecutionException, InterruptedException {
    return client.describeTopics(topics).allTopicNames().get();
  }

  private static List<TopicPartition> partitions(Map<String, TopicDescription> topics) {
    List<TopicPartition> partitions = new ArrayList<>();
    topics.forEach(
        (name, topic) ->
            topic
                .partitions()
                .forEach(info -> partitions.add(new TopicPartition(name, info.partition()))));
    return partitions;
  }

  private EventIds read(
      KafkaConsumer<byte[], byte[]> client,
      Map<TopicPartition, Long> starts,
      Map<TopicPartition, Long> ends) {
    EventIds ids = new EventIds();
    PartitionReader.read(client, starts, ends, () -> true, record -> note(record, ids));
    return ids;
  }

  private void note(ConsumerRecord<byte[], byte[]> record, EventIds ids) {
    UUID id = eventOf(record);
    if (id != null) {
      ids.add(id);
    }
  }

  /** Only records on the event's own topic count: a private replay went elsewhere. */
  private @Nullable UUID eventOf(ConsumerRecord<byte[], byte[]> record) {
    try {
      Envelope envelope = EnvelopeCodec.decode(record.value());
      return record
              .topic()
              .equals(topicNames.topicOf(envelope.eventType(), envelope.aggregateType()))
          ? envelope.eventId()
          : null;
    } catch (UndecodableRecordException e) {
      LOG.debug("A record that is no event is passed over");
      return null;
    }
  }

  private long strikeOnce(List<Stretch> stretches, Candidates candidates) {
    long[] read = new long[1];
    try (KafkaConsumer<byte[], byte[]> client =
        new KafkaConsumer<>(consumer, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      Set<String> present = client.listTopics().keySet();
      for (Stretch stretch : stretches) {
        Map<TopicPartition, Long> starts = new HashMap<>(stretch.starts());
        starts.keySet().removeIf(partition -> !present.contains(partition.topic()));
        // What is deleted by now, or was lost with its topic, is not waited for.
        client
            .beginningOffsets(starts.keySet())
            .forEach((partition, beginning) -> starts.merge(partition, beginning, Math::max));
        Map<TopicPartition, Long> ends = new HashMap<>(client.endOffsets(starts.keySet()));
        ends.replaceAll(
            (partition, end) -> Math.min(end, stretch.ends().getOrDefault(partition, 0L)));
        PartitionReader.read(
            client,
            starts,
            ends,
            () -> candidates.left() > 0,
            record -> {
              read[0]++;
              strike(record, candidates);
            });
      }
    }
    return read[0];
  }

  /** The key tells quickly which records to look into. */
  private void strike(ConsumerRecord<byte[], byte[]> record, Candidates candidates) {
    UUID key = idOf(record.key());
    if (key != null) {
      int row = candidates.find(key);
      if (row >= 0 && key.equals(eventOf(record))) {
        candidates.strike(row);
      }
    }
  }

  private static @Nullable UUID idOf(byte @Nullable [] key) {
    if (key == null || key.length != ID_LENGTH) {
      return null;
    }
    try {
      return UUID.fromString(new String(key, StandardCharsets.US_ASCII));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** The ids of topics, of those that exist. */
  Map<String, String> topicIds(Collection<String> topics)
      throws ExecutionException, InterruptedException {
    Map<String, String> ids = new HashMap<>();
    try (Admin client = Admin.create(admin)) {
      describe(client, topics).forEach((name, topic) -> ids.put(name, topic.topicId().toString()));
    }
    return ids;
  }
}

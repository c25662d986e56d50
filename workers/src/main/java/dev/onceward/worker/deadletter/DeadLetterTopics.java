package dev.onceward.worker.deadletter;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes dead-letter topics that are missing, with the partitions and replicas that are the broker's
 * default. Thread-safe.
 */
final class DeadLetterTopics {

  private static final Logger log = LoggerFactory.getLogger(DeadLetterTopics.class);

  private final Map<String, Object> clientProperties;
  private final Set<String> present = ConcurrentHashMap.newKeySet();

  DeadLetterTopics(Map<String, Object> clientProperties) {
    this.clientProperties = Map.copyOf(clientProperties);
  }

  /**
   * Makes the topic unless it is known to be there. A refusal is only logged: the topic may be
   * there all the same, and if not, sending will tell.
   */
  void ensure(String topic) throws InterruptedException {
    if (present.contains(topic)) {
      return;
    }
    try (Admin admin = Admin.create(clientProperties)) {
      NewTopic wanted =
          new NewTopic(topic, Optional.empty(), Optional.empty())
              .configs(
                  Map.of(
                      // Whatever fitted into the topic of origin must fit here with more headers.
                      TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                      Integer.toString(DeadLetterPublisher.MAX_RECORD_BYTES),
                      // Kept until an operator has dealt with them.
                      TopicConfig.RETENTION_MS_CONFIG,
                      "-1"));
      admin.createTopics(Set.of(wanted)).all().get();
      log.info("made the dead-letter topic {}", topic);
      present.add(topic);
    } catch (ExecutionException refused) {
      if (refused.getCause() instanceof TopicExistsException) {
        present.add(topic);
      } else {
        log.warn(
            "the dead-letter topic {} could not be made ({}); if it does not exist, create it or"
                + " allow this login to",
            topic,
            String.valueOf(refused.getCause()));
      }
    }
  }

  /** The topic turned out to be missing: make it next time. */
  void forget(String topic) {
    present.remove(topic);
  }
}

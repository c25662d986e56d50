package dev.onceward.worker;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks Kafka now and then whether it is there: a consumer that polls cannot tell an outage from an
 * idle topic. {@link #close} is for any thread.
 */
final class BrokerProbe implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(BrokerProbe.class);

  private static final Duration EVERY = Duration.ofSeconds(2);
  private static final String TIMEOUT_MILLIS = "4000";

  private final Map<String, Object> properties;
  private final Set<String> topics;
  private final Thread thread = new Thread(this::run, "broker-probe");
  private volatile long lastAnswerNanos = System.nanoTime();
  private volatile @Nullable String failure;
  private volatile Set<String> missingTopics = Set.of();
  private volatile boolean closing;

  /**
   * Makes a probe that asks nothing before {@link #start}.
   *
   * @param topics what is subscribed to
   */
  BrokerProbe(Map<String, String> clientProperties, Set<String> topics) {
    this.topics = Set.copyOf(topics);
    properties = new HashMap<>(clientProperties);
    properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
    properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Why Kafka last gave no answer; null if it answered. */
  @Nullable String failure() {
    return failure;
  }

  /** How long ago Kafka last answered. */
  Duration sinceLastAnswer() {
    return Duration.ofNanos(System.nanoTime() - lastAnswerNanos);
  }

  /** Subscribed topics that do not exist (yet): nothing comes from them. */
  Set<String> missingTopics() {
    return missingTopics;
  }

  private void run() {
    while (!closing) {
      try (Admin admin = Admin.create(properties)) {
        while (!closing) {
          ask(admin);
          Thread.sleep(EVERY.toMillis());
        }
      } catch (InterruptedException stopping) {
        return;
      } catch (RuntimeException unusable) { // among others a name that cannot be resolved now
        failed(unusable);
        pauseUnlessClosing();
      }
    }
  }

  private void pauseUnlessClosing() {
    try {
      Thread.sleep(EVERY.toMillis());
    } catch (InterruptedException stopping) {
      closing = true;
    }
  }

  private void ask(Admin admin) throws InterruptedException {
    Set<String> missing = new TreeSet<>();
    try {
      for (Map.Entry<String, KafkaFuture<TopicDescription>> topic :
          admin.describeTopics(topics).topicNameValues().entrySet()) {
        try {
          topic.getValue().get();
        } catch (ExecutionException failure) {
          if (!(failure.getCause() instanceof UnknownTopicOrPartitionException)) {
            throw failure;
          }
          missing.add(topic.getKey());
        }
      }
      answered(missing);
    } catch (ExecutionException unanswered) {
      failed(unanswered.getCause() == null ? unanswered : unanswered.getCause());
    }
  }

  private void answered(Set<String> missing) {
    lastAnswerNanos = System.nanoTime();
    if (!missing.equals(missingTopics)) {
      missingTopics = Set.copyOf(missing);
      log.info(
          missing.isEmpty()
              ? "all subscribed topics exist"
              : "topics {} do not exist yet; the relay makes them with their first event",
          missing);
    }
    if (failure != null) {
      failure = null;
      log.info("Kafka answers again");
    }
  }

  private void failed(Throwable cause) {
    boolean news = failure == null;
    failure = "Kafka gave no answer: " + cause.getClass().getSimpleName();
    if (news) {
      log.warn(
          "Kafka gave no answer ({}); the worker goes on when it does. Check that"
              + " onceward.kafka.bootstrap.servers names brokers that can be reached from here, and, where"
              + " the failure is one of authentication, the security settings under onceward.kafka",
          cause.getClass().getSimpleName());
    }
  }

  @Override
  public void close() {
    closing = true;
    thread.interrupt();
  }
}

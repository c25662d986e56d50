package dev.onceward.worker;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
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
  private final Thread thread = new Thread(this::run, "broker-probe");
  private volatile long lastAnswerNanos = System.nanoTime();
  private volatile @Nullable String failure;
  private volatile boolean closing;

  BrokerProbe(Map<String, String> clientProperties) {
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

  private void run() {
    while (!closing) {
      try (Admin admin = Admin.create(properties)) {
        while (!closing) {
          admin.describeCluster().clusterId().get();
          answered();
          Thread.sleep(EVERY.toMillis());
        }
      } catch (InterruptedException stopping) {
        return;
      } catch (ExecutionException unanswered) {
        failed(unanswered.getCause() == null ? unanswered : unanswered.getCause());
      } catch (RuntimeException unusable) {
        failed(unusable);
      }
      try {
        Thread.sleep(EVERY.toMillis() / 4);
      } catch (InterruptedException stopping) {
        return;
      }
    }
  }

  private void answered() {
    lastAnswerNanos = System.nanoTime();
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
              + " onceward.kafka.bootstrap.servers names brokers that can be reached from here",
          cause.getClass().getSimpleName());
    }
  }

  @Override
  public void close() {
    closing = true;
    thread.interrupt();
  }
}

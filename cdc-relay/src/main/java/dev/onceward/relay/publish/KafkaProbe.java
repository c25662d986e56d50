package dev.onceward.relay.publish;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the cluster for itself every two seconds, so that a dead one is noticed while there is
 * nothing to publish. One thread of its own; {@link #trouble} may be called by any.
 */
public final class KafkaProbe implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofSeconds(2);

  private final KafkaSettings settings;
  private final PublishStatus status;
  private final Thread thread;
  private volatile @Nullable String trouble = "Kafka has not answered yet";
  private @Nullable Admin admin;

  /**
   * @param status is told whether the cluster answers
   */
  public KafkaProbe(KafkaSettings settings, PublishStatus status) {
    this.settings = settings;
    this.status = status;
    this.thread = new Thread(this::loop, "relay-kafka-probe");
    thread.setDaemon(true);
  }

  public void start() {
    thread.start();
  }

  /** Why the cluster counts as away; empty if its last answer was in order. */
  public Optional<String> trouble() {
    return Optional.ofNullable(trouble);
  }

  private void loop() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        long askedNanos = System.nanoTime();
        runOnce();
        status.clusterSeen(trouble == null, askedNanos);
        Thread.sleep(INTERVAL.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      closeAdmin();
    }
  }

  private void runOnce() throws InterruptedException {
    try {
      if (admin == null) {
        admin = Admin.create(settings.admin());
      }
      admin.describeCluster().nodes().get();
      trouble = null;
    } catch (ExecutionException e) {
      trouble = "Kafka does not answer (" + KafkaFailures.describe(KafkaFailures.unwrap(e)) + ")";
    } catch (KafkaException e) {
      trouble = "Kafka cannot be reached (" + KafkaFailures.describe(e) + ")";
      closeAdmin();
    }
  }

  private void closeAdmin() {
    if (admin != null) {
      admin.close(Duration.ZERO);
      admin = null;
    }
  }

  /** Ends the thread. Idempotent. */
  @Override
  public void close() {
    thread.interrupt();
  }
}

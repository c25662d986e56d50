package dev.onceward.embedded.junit;

import dev.onceward.embedded.KafkaBroker;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** A topic prefix that no other test has, and a client to make topics; thread-safe. */
public final class TestTopics implements AutoCloseable {
  private static final long LIMIT_SECONDS = 30;

  private final KafkaBroker broker;
  private final String prefix = "t" + UUID.randomUUID().toString().substring(0, 8) + ".";
  private final Admin admin;

  /** A new prefix on this broker. */
  public TestTopics(KafkaBroker broker) {
    this.broker = broker;
    this.admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
  }

  /** Ends with a dot, for example {@code t3f2a1c9e.}. */
  public String prefix() {
    return prefix;
  }

  /** The prefix and this name. */
  public String name(String suffix) {
    return prefix + suffix;
  }

  /** The broker's address. */
  public String bootstrapServers() {
    return broker.bootstrapServers();
  }

  /** A client for administration; closed with the test. */
  public Admin admin() {
    return admin;
  }

  /** Creates the topic {@code prefix + suffix}; returns its full name once it can be used. */
  public String create(String suffix, int partitions) {
    String topic = name(suffix);
    await(admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all());
    return topic;
  }

  /** Deletes the topics with this prefix. No effect on a broker that does not run. */
  @Override
  public void close() {
    try {
      if (broker.isRunning()) {
        List<String> ours =
            await(admin.listTopics().names()).stream().filter(t -> t.startsWith(prefix)).toList();
        await(admin.deleteTopics(ours).all());
      }
    } finally {
      admin.close(java.time.Duration.ZERO);
    }
  }

  private static <T> T await(org.apache.kafka.common.KafkaFuture<T> future) {
    try {
      return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("Kafka did not do what the test asked for", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for Kafka", e);
    }
  }
}

package dev.onceward.ops.kafka;

import dev.onceward.process.ExitCode;
import dev.onceward.process.Settings;
import dev.onceward.process.StartupException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.utils.Utils;

/** Makes the clients of a command. Immutable. */
public final class KafkaAccess {

  /** How long an answer may take. */
  public static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final String PREFIX = "onceward.kafka.";
  private static final String PATIENCE_MILLIS = Long.toString(PATIENCE.toMillis());
  private static final String POLL_RECORDS = "5000";

  private final Map<String, String> settings;

  private KafkaAccess(Map<String, String> settings) {
    this.settings = Map.copyOf(settings);
  }

  /**
   * Reads {@code onceward.kafka.*} and verifies the settings; nothing is connected yet.
   *
   * @throws dev.onceward.process.ConfigurationException naming everything that is wrong
   */
  public static KafkaAccess from(Settings settings) {
    KafkaAccess access =
        new KafkaAccess(
            settings.passthrough(PREFIX, "Settings of Kafka's clients, by Kafka's names."));
    access.check(settings);
    settings.verify();
    return access;
  }

  /** The operator's own settings, for a client that is made elsewhere. They may hold passwords. */
  public Map<String, String> clientSettings() {
    return settings;
  }

  /**
   * An admin client; the caller closes it, best with {@link Duration#ZERO}.
   *
   * @throws StartupException if no broker's name can be resolved
   */
  public Admin admin() {
    Map<String, Object> admin = common("onceward-ops-admin");
    try {
      return Admin.create(admin);
    } catch (KafkaException unresolved) {
      throw KafkaFailures.away(unresolved);
    }
  }

  /**
   * A consumer without a group, for reading what is assigned to it; the caller closes it.
   *
   * @throws StartupException if no broker's name can be resolved
   */
  public Consumer<byte[], byte[]> consumer() {
    Map<String, Object> consumer = common("onceward-ops-reader");
    consumer.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, POLL_RECORDS);
    consumer.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    consumer.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    consumer.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    // A transaction of somebody else that was rolled back is no record.
    consumer.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    consumer.remove(ConsumerConfig.GROUP_ID_CONFIG);
    try {
      return new KafkaConsumer<>(
          consumer, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    } catch (KafkaException unresolved) {
      throw KafkaFailures.away(unresolved);
    }
  }

  /**
   * Waits for an answer.
   *
   * @throws StartupException if Kafka is away or refuses
   * @throws KafkaException for everything else, as Kafka gave it
   */
  public static <T> T await(Future<T> answer) {
    try {
      return answer.get();
    } catch (ExecutionException failure) {
      Throwable cause = KafkaFailures.unwrap(failure);
      StartupException known = KafkaFailures.classify(cause);
      if (known != null) {
        throw known;
      }
      throw cause instanceof KafkaException kafka ? kafka : new KafkaException(cause);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new StartupException(
          ExitCode.FAILURE, "stopped while Kafka was asked", "Run it again", stopping);
    }
  }

  private Map<String, Object> common(String clientId) {
    Map<String, Object> common = new HashMap<>(settings);
    common.putIfAbsent(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, "1000");
    common.put(CommonClientConfigs.CLIENT_ID_CONFIG, clientId);
    common.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, PATIENCE_MILLIS);
    common.put(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, PATIENCE_MILLIS);
    return common;
  }

  private void check(Settings read) {
    String servers = CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG;
    if (!settings.containsKey(servers)) {
      read.problem(
          PREFIX + servers,
          "is required but not set",
          "Set ONCEWARD_KAFKA_BOOTSTRAP_SERVERS or " + PREFIX + servers + " to HOST:PORT,…");
      return;
    }
    try {
      for (String address : new AdminClientConfig(common("check")).getList(servers)) {
        // Whether the name can be resolved is a matter of time, not of configuration.
        if (Utils.getHost(address) == null || Utils.getPort(address) == null) {
          read.problem(
              PREFIX + servers, "holds \"" + address + "\"", "Write each address as HOST:PORT");
        }
      }
    } catch (ConfigException wrong) {
      read.problem(
          PREFIX + "*", "is not understood by Kafka's client: " + wrong.getMessage(), "Correct it");
    }
  }
}

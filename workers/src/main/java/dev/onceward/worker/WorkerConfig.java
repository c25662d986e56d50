package dev.onceward.worker;

import dev.onceward.db.secret.CredentialCipher;
import dev.onceward.event.route.TopicNames;
import dev.onceward.process.NamedKeys;
import dev.onceward.process.Secret;
import dev.onceward.process.Settings;
import dev.onceward.worker.claim.TaskTimes;
import dev.onceward.worker.consume.ConsumerKind;
import dev.onceward.worker.consume.ConsumerProperties;
import dev.onceward.worker.handle.MaterialRules;
import dev.onceward.worker.http.HttpHandlerConfig;
import dev.onceward.worker.outbound.AllowedHosts;
import dev.onceward.worker.retry.Backoff;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the workers' process. Immutable; its text form shows no secret.
 *
 * @param jdbcUrl the database
 * @param user the role, usually {@code onceward_app}
 * @param password its password
 * @param kafka what is passed through to the Kafka clients, by their own names
 * @param topicNames which topic an aggregate type's events are in
 * @param groupId the consumer group that all workers share
 * @param consumer how the workers share the records
 * @param credentials decrypts what the API stored
 * @param platformUrl where the platforms' gateway answers
 * @param platformTimeout how long it may take to begin an answer
 * @param materials what may be fetched from elsewhere
 * @param httpHandlers handlers that are HTTP endpoints
 * @param concurrency how many records are worked on at a time
 * @param bufferRecords at this many records in hand the partitions are paused
 * @param batch so many claims, or ends, in one transaction; 1 makes one for each
 * @param order what waits for what
 * @param unknownTypes what becomes of events that no handler is for
 * @param times lease, renewal, time-out and back-off of tasks
 * @param dueInterval between two looks for tasks that are due without Kafka
 * @param recent how old an event may be for its operation to be waited for
 * @param standstill how long after the longest attempt nothing may be finished while records wait
 * @param drain how long a revoked partition waits for what runs
 * @param tracingEndpoint OTLP over HTTP of a collector; null to record no spans
 * @param healthHost where health and metrics are served
 * @param healthPort and on which port; 0 takes a free one
 */
public record WorkerConfig(
    String jdbcUrl,
    String user,
    Secret password,
    Map<String, String> kafka,
    TopicNames topicNames,
    String groupId,
    ConsumerKind consumer,
    CredentialCipher credentials,
    URI platformUrl,
    Duration platformTimeout,
    MaterialRules materials,
    List<HttpHandlerConfig> httpHandlers,
    int concurrency,
    int bufferRecords,
    int batch,
    DeliveryOrder order,
    UnknownTypes unknownTypes,
    TaskTimes times,
    Duration dueInterval,
    Duration recent,
    Duration standstill,
    Duration drain,
    @Nullable String tracingEndpoint,
    String healthHost,
    int healthPort) {

  static final String HEALTH_PORT = "onceward.worker.health-port";

  private static final String CREDENTIAL_KEYS = "onceward.credential-keys";
  private static final int CREDENTIAL_KEY_BYTES = 32;
  private static final String KAFKA = "onceward.kafka.";
  private static final String GROUP_ID = "group.id";
  private static final String BOOTSTRAP_SERVERS = "bootstrap.servers";
  private static final String LEASE = "onceward.worker.lease";
  private static final String LEASE_RENEWAL = "onceward.worker.lease-renewal";
  private static final String RETRY_FIRST = "onceward.worker.retry-first";
  private static final String RETRY_CAP = "onceward.worker.retry-cap";
  private static final String HANDLER_TIMEOUT = "onceward.worker.handler-timeout";
  private static final String PLATFORM_TIMEOUT = "onceward.worker.platform-timeout";
  private static final String ALLOWED_HOSTS = "onceward.worker.material-hosts-allowed";
  private static final String TOPIC_PREFIX = "onceward.topic-prefix";
  private static final String TOPIC_ROUTES = "onceward.topic-routes";

  private static final Duration MILLISECOND = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final int DEFAULT_HEALTH_PORT = 8082;
  private static final int DEFAULT_CONCURRENCY = 16;
  private static final int DEFAULT_BUFFER_RECORDS = 1_000;
  private static final int DEFAULT_BATCH = 100;
  private static final int DEFAULT_JITTER_PERCENT = 20;

  /** Copies what can change. */
  public WorkerConfig {
    kafka = Map.copyOf(kafka);
    httpHandlers = List.copyOf(httpHandlers);
  }

  /**
   * Reads the configuration.
   *
   * @throws dev.onceward.process.ConfigurationException naming everything that is wrong
   */
  public static WorkerConfig from(Settings settings) {
    String url =
        settings.text("onceward.database.url", "The database: jdbc:postgresql://HOST:PORT/NAME.");
    String user = settings.text("onceward.database.user", "onceward_app", "The workers' role.");
    Secret password = settings.secret("onceward.database.password", "The role's password.");
    Map<String, String> kafka =
        settings.passthrough(KAFKA, "Settings of Kafka's clients, by Kafka's names.");
    checkKafka(settings, kafka);
    TopicNames topicNames = topicNames(settings);
    String groupId =
        settings.text(
            "onceward.worker.group-id", "onceward-workers", "The workers' consumer group.");
    ConsumerKind consumer =
        settings.enumeration(
            "onceward.worker.consumer",
            ConsumerKind.GROUP,
            "Whether the group is a consumer group or a share group (Kafka 4.2 or newer, no"
                + " order).");
    CredentialCipher credentials = credentials(settings);
    URI platformUrl =
        settings.uri("onceward.worker.platform-url", "Where the platforms' gateway answers.");
    Duration platformTimeout =
        settings.duration(
            PLATFORM_TIMEOUT,
            Duration.ofSeconds(20),
            Duration.ofMillis(100),
            HOUR,
            "How long a platform may take to begin an answer; below the handler time-out.");
    MaterialRules materials = materials(settings);
    List<HttpHandlerConfig> httpHandlers = HttpHandlerConfig.from(settings);
    int concurrency =
        settings.integer(
            "onceward.worker.concurrency",
            DEFAULT_CONCURRENCY,
            1,
            1_000,
            "records",
            "How many records are worked on at a time.");
    int bufferRecords =
        settings.integer(
            "onceward.worker.buffer-records",
            DEFAULT_BUFFER_RECORDS,
            1,
            1_000_000,
            "records",
            "With so many records in hand the partitions are paused.");
    int batch =
        settings.integer(
            "onceward.worker.batch-tasks",
            DEFAULT_BATCH,
            1,
            1_000,
            "tasks",
            "So many claims, or ends, of one workspace in one transaction; 1 makes one for each.");
    DeliveryOrder order =
        settings.enumeration(
            "onceward.worker.order",
            DeliveryOrder.AGGREGATE,
            "Whether first attempts at events of one aggregate keep their order.");
    UnknownTypes unknownTypes =
        settings.enumeration(
            "onceward.worker.unknown-types",
            UnknownTypes.DEAD_LETTER,
            "What becomes of events that no handler is for.");
    TaskTimes times = times(settings, platformTimeout);
    Duration dueInterval =
        settings.duration(
            "onceward.worker.due-interval",
            SECOND,
            Duration.ofMillis(10),
            MINUTE,
            "How often retries, expired leases and forgotten tasks are looked for.");
    Duration recent =
        settings.duration(
            "onceward.worker.visibility-wait",
            MINUTE,
            Duration.ZERO,
            HOUR,
            "How old an event may be for its not yet visible operation to be waited for.");
    Duration standstill =
        settings.duration(
            "onceward.worker.standstill",
            Duration.ofSeconds(30),
            SECOND,
            HOUR,
            "Health is DOWN if nothing is finished for so long after the longest attempt, although"
                + " records wait.");
    Duration drain =
        settings.duration(
            "onceward.worker.drain",
            Duration.ofSeconds(3),
            Duration.ZERO,
            Duration.ofSeconds(5),
            "How long a partition that is taken away waits for what runs.");
    String tracingEndpoint =
        settings.optionalText(
            "onceward.worker.tracing-endpoint",
            "OTLP over HTTP of a collector, such as http://collector:4318/v1/traces.");
    String healthHost =
        settings.text("onceward.worker.health-host", "0.0.0.0", "Where health listens.");
    int healthPort =
        settings.integer(
            HEALTH_PORT, DEFAULT_HEALTH_PORT, 0, 65_535, "port", "Of health and metrics.");
    settings.verify("onceward.worker");
    return new WorkerConfig(
        url,
        user,
        password,
        kafka,
        topicNames,
        groupId,
        consumer,
        credentials,
        platformUrl,
        platformTimeout,
        materials,
        httpHandlers,
        concurrency,
        bufferRecords,
        batch,
        order,
        unknownTypes,
        times,
        dueInterval,
        recent,
        standstill,
        drain,
        tracingEndpoint,
        healthHost,
        healthPort);
  }

  private static void checkKafka(Settings settings, Map<String, String> kafka) {
    String key = KAFKA + BOOTSTRAP_SERVERS;
    String servers = kafka.get(BOOTSTRAP_SERVERS);
    if (servers == null) {
      settings.problem(
          key, "is required but not set", "Set ONCEWARD_KAFKA_BOOTSTRAP_SERVERS to HOST:PORT");
      return;
    }
    for (String forbidden : ConsumerProperties.forbidden(kafka)) {
      settings.problem(
          KAFKA + forbidden, "would break a guarantee", "Remove it: the workers set it themselves");
    }
    if (kafka.containsKey(GROUP_ID)) {
      settings.problem(
          KAFKA + GROUP_ID, "is not where the group is named", "Set onceward.worker.group-id");
    }
    // Whether a name can be resolved is a matter of time, not of configuration.
    for (String server : servers.split(",", -1)) {
      if (!server.strip().matches(".*[^:]:[0-9]{1,5}")) {
        settings.problem(
            key, "holds \"" + server.strip() + "\"", "Give HOST:PORT, several separated by commas");
      }
    }
  }

  private static TopicNames topicNames(Settings settings) {
    String prefix =
        settings.text(TOPIC_PREFIX, TopicNames.DEFAULT_PREFIX, "What topic names begin with.");
    @Nullable String routes =
        settings.optionalText(
            TOPIC_ROUTES,
            "Topics of their own, TYPE=TOPIC[,TYPE=TOPIC], by event type or aggregate type; the same"
                + " for all processes.");
    TopicNames names =
        settings.made(
            TOPIC_PREFIX,
            prefix,
            TopicNames::withPrefix,
            TopicNames.withPrefix(TopicNames.DEFAULT_PREFIX));
    return routes == null
        ? names
        : settings.made(
            TOPIC_ROUTES, routes, text -> TopicNames.parse(names.prefix(), text), names);
  }

  private static CredentialCipher credentials(Settings settings) {
    Map<String, byte[]> keys =
        NamedKeys.read(
            settings,
            CREDENTIAL_KEYS,
            CREDENTIAL_KEY_BYTES,
            CREDENTIAL_KEY_BYTES,
            "Keys that encrypt store credentials, id:base64[,id:base64], the current one first.");
    // A refused setting stops the start before this stand-in could encrypt anything.
    return new CredentialCipher(
        keys.isEmpty() ? Map.of("placeholder", new byte[CREDENTIAL_KEY_BYTES]) : keys);
  }

  private static MaterialRules materials(Settings settings) {
    long maxBytes =
        settings.integer(
            "onceward.worker.max-media-bytes",
            (int) MaterialRules.DEFAULT.maxBytes(),
            1_024,
            1024 * 1024 * 1024,
            "bytes",
            "The largest material fetched.");
    Duration timeout =
        settings.duration(
            "onceward.worker.material-timeout",
            MaterialRules.DEFAULT.timeout(),
            Duration.ofMillis(100),
            HOUR,
            "How long the fetch of a material may take as a whole.");
    Set<String> allowed =
        AllowedHosts.from(
            settings,
            ALLOWED_HOSTS,
            "HOST:PORT[,HOST:PORT] that materials are fetched from although the addresses are not"
                + " public.");
    return new MaterialRules(maxBytes, timeout, allowed);
  }

  private static TaskTimes times(Settings settings, Duration platformTimeout) {
    Duration lease =
        settings.duration(
            LEASE,
            Duration.ofSeconds(30),
            SECOND,
            HOUR,
            "How long a dead worker's task waits until another takes it up.");
    Duration renewal =
        settings.duration(
            LEASE_RENEWAL,
            Duration.ofSeconds(10),
            Duration.ofMillis(100),
            HOUR,
            "How often leases are renewed; at most half a lease.");
    if (renewal.multipliedBy(2).compareTo(lease) > 0) {
      settings.problem(
          LEASE_RENEWAL,
          "is more than half of " + LEASE,
          "Renew at least twice within a lease, or one late renewal loses it");
    }
    Duration handlerTimeout =
        settings.duration(
            HANDLER_TIMEOUT, MINUTE, MILLISECOND, HOUR, "How long one attempt may take.");
    if (platformTimeout.compareTo(handlerTimeout) >= 0) {
      settings.problem(
          PLATFORM_TIMEOUT,
          "is not below " + HANDLER_TIMEOUT,
          "Give the platform less time than the whole attempt");
    }
    return new TaskTimes(lease, renewal, handlerTimeout, backoff(settings));
  }

  private static Backoff backoff(Settings settings) {
    Duration first =
        settings.duration(
            RETRY_FIRST,
            SECOND,
            MILLISECOND,
            HOUR,
            "The wait after a first failed attempt; doubled after each further one.");
    Duration cap =
        settings.duration(
            RETRY_CAP,
            Duration.ofMinutes(10),
            MILLISECOND,
            Duration.ofDays(1),
            "The longest wait between attempts.");
    int jitterPercent =
        settings.integer(
            "onceward.worker.retry-jitter",
            DEFAULT_JITTER_PERCENT,
            0,
            100,
            "percent",
            "How far waits are spread to either side.");
    if (cap.compareTo(first) < 0) {
      settings.problem(RETRY_CAP, "is below " + RETRY_FIRST, "Give a cap of at least that");
      return new Backoff(SECOND, SECOND, 0);
    }
    return new Backoff(first, cap, jitterPercent / 100.0);
  }
}

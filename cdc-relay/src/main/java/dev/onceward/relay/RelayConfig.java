package dev.onceward.relay;

import dev.onceward.event.route.Partitioner;
import dev.onceward.event.route.TopicNames;
import dev.onceward.process.Secret;
import dev.onceward.process.Settings;
import dev.onceward.relay.capture.CaptureKind;
import dev.onceward.relay.capture.DatabaseAddress;
import dev.onceward.relay.park.ParkingSettings;
import dev.onceward.relay.publish.KafkaSettings;
import dev.onceward.relay.publish.TopicCatalog;
import dev.onceward.relay.slot.CareSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The relay's configuration. Immutable; its text form shows no secret.
 *
 * @param jdbcUrl the database, one host
 * @param user the role, usually {@code onceward_relay}
 * @param password its password
 * @param kafka the cluster
 * @param topicNames which topic an event goes to
 * @param partitioner which partition of it
 * @param topicCreation how missing topics are made
 * @param slotName the replication slot; also the relay's name in {@code relay_state}
 * @param healthHost where health and metrics are served
 * @param healthPort and on which port; 0 takes a free one
 * @param capture what reads the log
 * @param tracingEndpoint OTLP over HTTP of a collector; null to record no spans
 * @param pollInterval how long a change may wait inside the engine
 * @param batchEvents the most events that are sent and awaited together
 * @param parking when events are parked
 * @param care how slot and partitions are looked after
 * @param auditRememberedEvents the most events that wait for their audit in memory
 */
public record RelayConfig(
    String jdbcUrl,
    String user,
    Secret password,
    KafkaSettings kafka,
    TopicNames topicNames,
    Partitioner partitioner,
    TopicCatalog.Creation topicCreation,
    String slotName,
    String healthHost,
    int healthPort,
    CaptureKind capture,
    @Nullable String tracingEndpoint,
    Duration pollInterval,
    int batchEvents,
    ParkingSettings parking,
    CareSettings care,
    int auditRememberedEvents) {
  private static final Logger LOG = LoggerFactory.getLogger(RelayConfig.class);

  static final String HEALTH_PORT = "onceward.relay.health-port";

  private static final String DATABASE_URL = "onceward.database.url";
  private static final String SLOT_NAME = "onceward.relay.slot-name";
  private static final String TOPIC_PREFIX = "onceward.topic-prefix";
  private static final String TOPIC_ROUTES = "onceward.topic-routes";
  private static final String KAFKA = "onceward.kafka.";

  private static final int DEFAULT_HEALTH_PORT = 8081;
  private static final int DEFAULT_PARTITIONS = 6;
  private static final int DEFAULT_BATCH_EVENTS = 2048;
  private static final int DEFAULT_REMEMBERED_EVENTS = 1_000_000;
  private static final Duration DEFAULT_POLL_INTERVAL = Duration.ofMillis(10);

  /** Without the URL's options and Kafka's values, which can hold passwords. */
  @Override
  public String toString() {
    return "RelayConfig[" + DatabaseAddress.parse(jdbcUrl) + ", slot " + slotName + "]";
  }

  /**
   * Reads the configuration.
   *
   * @throws dev.onceward.process.ConfigurationException naming everything that is wrong
   */
  public static RelayConfig from(Settings settings) {
    String url = settings.text(DATABASE_URL, "The database: jdbc:postgresql://HOST:PORT/NAME.");
    String user = settings.text("onceward.database.user", "onceward_relay", "The relay's role.");
    Secret password = settings.secret("onceward.database.password", "The role's password.");
    KafkaSettings kafka =
        new KafkaSettings(
            settings.passthrough(KAFKA, "Settings of Kafka's clients, by Kafka's names."));
    TopicNames names = topicNames(settings);
    Partitioner partitioner =
        settings.enumeration(
            "onceward.relay.partition-by",
            Partitioner.AGGREGATE,
            "What decides an event's partition; only aggregate keeps the order of an aggregate.");
    TopicCatalog.Creation creation = creation(settings);
    String slot = settings.text(SLOT_NAME, "onceward", "The replication slot's name.");
    String host = settings.text("onceward.relay.health-host", "0.0.0.0", "Where health listens.");
    int port =
        settings.integer(
            HEALTH_PORT,
            DEFAULT_HEALTH_PORT,
            0,
            65_535,
            "port",
            "Health's port; 0 takes a free one.");
    CaptureKind capture =
        settings.enumeration(
            "onceward.relay.capture",
            CaptureKind.DEBEZIUM,
            "What reads PostgreSQL's log: an embedded Debezium engine, or the relay itself.");
    String tracingEndpoint =
        settings.optionalText(
            "onceward.relay.tracing-endpoint",
            "OTLP over HTTP of a collector, such as http://collector:4318/v1/traces.");
    Duration pollInterval =
        settings.duration(
            "onceward.relay.poll-interval",
            DEFAULT_POLL_INTERVAL,
            Duration.ofMillis(1),
            Duration.ofSeconds(10),
            "How long an event may wait inside the engine, or for direct between two reads while idle;"
                + " a shorter time costs CPU while idle.");
    int batch =
        settings.integer(
            "onceward.relay.batch-events",
            DEFAULT_BATCH_EVENTS,
            1,
            100_000,
            "events",
            "The most events that are sent and awaited together.");
    ParkingSettings parking = ParkingSettings.from(settings);
    CareSettings care = CareSettings.from(settings);
    int remembered =
        settings.integer(
            "onceward.relay.audit-remembered-events",
            DEFAULT_REMEMBERED_EVENTS,
            10_000,
            50_000_000,
            "events",
            "The most delivered events that wait for their audit in memory, about 32 bytes each; a"
                + " transaction takes the room of ten. The others are read back from Kafka. The"
                + " relay holds up to three times as many: of this term, of those before, and"
                + " sought ones.");
    checkUrl(settings, url);
    checkKafka(settings, kafka);
    checkSlotName(settings, slot);
    settings.verify("onceward.relay");
    return new RelayConfig(
        url,
        user,
        password,
        kafka,
        names,
        partitioner,
        creation,
        slot,
        host,
        port,
        capture,
        tracingEndpoint,
        pollInterval,
        batch,
        parking,
        care,
        remembered);
  }

  private static TopicCatalog.Creation creation(Settings settings) {
    boolean create =
        settings.bool("onceward.relay.create-topics", true, "Whether missing topics are made.");
    int partitions =
        settings.integer(
            "onceward.relay.topic-partitions",
            DEFAULT_PARTITIONS,
            1,
            10_000,
            "partitions",
            "Of a new topic; never changed afterwards.");
    int replication =
        settings.integer(
            "onceward.relay.topic-replication", 1, 1, 100, "copies", "Of a new topic.");
    return new TopicCatalog.Creation(create, partitions, (short) replication);
  }

  private static void checkUrl(Settings settings, String url) {
    if (settings.hasProblem(DATABASE_URL)) {
      return;
    }
    try {
      DatabaseAddress address = DatabaseAddress.parse(url);
      LOG.debug("The database is {}", address);
    } catch (IllegalArgumentException e) {
      settings.problem(
          DATABASE_URL,
          "is \"" + url.replaceFirst("\\?.*", "") + "\": " + e.getMessage(),
          "Write it as jdbc:postgresql://HOST:PORT/NAME, with the primary's host alone");
    }
  }

  private static void checkKafka(Settings settings, KafkaSettings kafka) {
    kafka
        .conflicts()
        .forEach((name, why) -> settings.problem(KAFKA + name, why, "Remove the setting"));
    kafka
        .invalid()
        .ifPresent(
            why ->
                settings.problem(
                    KAFKA + "*", "is not understood by Kafka's client: " + why, "Correct it"));
  }

  private static void checkSlotName(Settings settings, String slot) {
    if (!slot.matches("[a-z0-9_]{1,63}")) {
      settings.problem(SLOT_NAME, "is \"" + slot + "\"", "Use 1 to 63 of the characters a-z 0-9 _");
    }
  }

  private static TopicNames topicNames(Settings settings) {
    String prefix =
        settings.text(TOPIC_PREFIX, TopicNames.DEFAULT_PREFIX, "What topic names begin with.");
    String routes =
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
}

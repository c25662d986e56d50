package dev.onceward.relay.capture;

import java.util.Map;
import java.util.Properties;

/**
 * The engine's configuration. What stands here is not open to users: each line carries a promise.
 */
final class EngineProperties {
  /** The engine's name for the server; it begins the names of its topics and MBeans. */
  private static final String SOURCE_NAME = "onceward";

  private static final String OFFSETS_IN_MEMORY =
      "org.apache.kafka.connect.storage.MemoryOffsetBackingStore";

  /** Options of a JDBC URL that the engine has settings of its own for. */
  private static final Map<String, String> URL_OPTIONS =
      Map.of(
          "sslmode", "database.sslmode",
          "sslrootcert", "database.sslrootcert",
          "sslcert", "database.sslcert",
          "sslkey", "database.sslkey",
          "sslpassword", "database.sslpassword",
          "sslfactory", "database.sslfactory");

  private EngineProperties() {}

  /**
   * Makes the configuration.
   *
   * @throws IllegalArgumentException if the URL is no PostgreSQL URL of one host
   */
  static Properties of(CaptureSettings settings) {
    Properties engine = new Properties();
    engine.setProperty("name", SOURCE_NAME + "-" + settings.slotName());
    engine.setProperty("connector.class", QuietPostgresConnector.class.getName());
    engine.setProperty("topic.prefix", SOURCE_NAME);
    putDatabase(engine, settings);
    putPosition(engine, settings);
    putPace(engine, settings);
    putContent(engine, settings);
    return engine;
  }

  private static void putDatabase(Properties engine, CaptureSettings settings) {
    DatabaseAddress address = DatabaseAddress.parse(settings.jdbcUrl());
    engine.setProperty("database.hostname", address.host());
    engine.setProperty("database.port", Integer.toString(address.port()));
    engine.setProperty("database.dbname", address.database());
    engine.setProperty("database.user", settings.user());
    engine.setProperty("database.password", settings.password().reveal());
    address
        .options()
        .forEach(
            (name, value) ->
                engine.setProperty(URL_OPTIONS.getOrDefault(name, "driver." + name), value));
  }

  /**
   * The slot is the only position; the engine makes nothing, remembers nothing, retries nothing.
   */
  private static void putPosition(Properties engine, CaptureSettings settings) {
    engine.setProperty("plugin.name", "pgoutput");
    engine.setProperty("slot.name", settings.slotName());
    engine.setProperty("slot.drop.on.stop", "false");
    engine.setProperty("slot.max.retries", "0");
    engine.setProperty("publication.name", settings.publication());
    engine.setProperty("publication.autocreate.mode", "disabled");
    engine.setProperty("snapshot.mode", "no_data");
    // The driver's own flush on keepalives has confirmed commits that were never delivered.
    engine.setProperty("lsn.flush.mode", "connector");
    engine.setProperty("offset.storage", OFFSETS_IN_MEMORY);
    engine.setProperty("offset.flush.interval.ms", "0");
    // The engine's own retry would search the log by a remembered position: a known loss.
    engine.setProperty("errors.max.retries", "0");
  }

  private static void putPace(Properties engine, CaptureSettings settings) {
    engine.setProperty("poll.interval.ms", Long.toString(settings.pollInterval().toMillis()));
    engine.setProperty("max.batch.size", Integer.toString(settings.batchEvents()));
    engine.setProperty("max.queue.size", Integer.toString(2 * settings.batchEvents()));
    engine.setProperty("status.update.interval.ms", "1000");
    engine.setProperty("retriable.restart.connector.wait.ms", "500");
    engine.setProperty("slot.retry.delay.ms", "1000");
  }

  private static void putContent(Properties engine, CaptureSettings settings) {
    engine.setProperty("table.include.list", settings.table().replace(".", "\\."));
    // Else the engine warns of a type that it cannot decode, although the column is not published.
    engine.setProperty("column.exclude.list", settings.table().replace(".", "\\.") + "\\.xid");
    // An outbox row never changes; whoever changes one by hand publishes nothing.
    engine.setProperty("skipped.operations", "u,d,t");
    engine.setProperty("message.prefix.include.list", SOURCE_NAME);
    engine.setProperty("provide.transaction.metadata", "false");
    engine.setProperty("extended.headers.enabled", "false");
    engine.setProperty("tombstones.on.delete", "false");
    engine.setProperty("heartbeat.interval.ms", "0");
  }
}

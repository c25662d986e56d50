package dev.onceward.bench.relay;

import dev.onceward.embedded.ChildCommand;
import java.util.Map;

/**
 * How the small contenders of this package learn where to read and write: by the environment, so
 * that no password stands in a command line.
 *
 * @param url the database
 * @param user a role
 * @param password its password
 * @param slot the replication slot
 * @param bootstrapServers the broker
 * @param topic where the records go
 * @param partitions how many it has
 */
record ClientSettings(
    String url,
    String user,
    String password,
    String slot,
    String bootstrapServers,
    String topic,
    int partitions) {
  private static final String PREFIX = "ONCEWARD_BENCH_";

  static ChildCommand give(ChildCommand command, Lane lane, String url, String user) {
    return command
        .withEnvironment(PREFIX + "URL", url)
        .withEnvironment(PREFIX + "USER", user)
        .withEnvironment(PREFIX + "PASSWORD", lane.servers().password())
        .withEnvironment(PREFIX + "SLOT", lane.slot())
        .withEnvironment(PREFIX + "BOOTSTRAP_SERVERS", lane.servers().bootstrapServers())
        .withEnvironment(PREFIX + "TOPIC", lane.topic());
  }

  /** In the process that was given them. */
  static ClientSettings taken() {
    return new ClientSettings(
        text("URL"),
        text("USER"),
        text("PASSWORD"),
        text("SLOT"),
        text("BOOTSTRAP_SERVERS"),
        text("TOPIC"),
        Backlog.PARTITIONS);
  }

  private static String text(String name) {
    String value = System.getenv(PREFIX + name);
    if (value == null) {
      throw new IllegalStateException(PREFIX + name + " is not set; onceward bench relay sets it");
    }
    return value;
  }

  /** A producer with the promises of the relay's, so that they are compared at the same price. */
  Map<String, Object> producer() {
    return Map.of(
        "bootstrap.servers", bootstrapServers,
        "acks", "all",
        "enable.idempotence", "true",
        "batch.size", "131072",
        "buffer.memory", "67108864");
  }
}

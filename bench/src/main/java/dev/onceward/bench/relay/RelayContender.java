package dev.onceward.bench.relay;

import dev.onceward.embedded.ChildCommand;
import dev.onceward.relay.RelayMain;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Our relay.
 *
 * @param name of this configuration
 * @param main what runs it
 * @param audited whether its audit stores what it has seen in Kafka
 * @param settings beyond those that it needs
 * @param jvmFlags of its process
 */
record RelayContender(
    String name,
    Class<?> main,
    boolean audited,
    Map<String, String> settings,
    List<String> jvmFlags)
    implements Contender {
  private static final String AUDITED =
      """
      SELECT coalesce(bool_and(pg_visible_in_snapshot(newest.xid, state.audited_snapshot)), false)
      FROM onceward.relay_state AS state, (SELECT xid FROM onceward.outbox_events ORDER BY xid DESC LIMIT 1) AS newest
      WHERE state.relay = ?
      """;

  /** As it is delivered. */
  static RelayContender audited(String name, Map<String, String> settings, List<String> jvmFlags) {
    return new RelayContender(name, RelayMain.class, true, settings, jvmFlags);
  }

  /** Without all that makes it safe. */
  static RelayContender unaudited(
      String name, Map<String, String> settings, List<String> jvmFlags) {
    return new RelayContender(name, UnauditedMain.class, false, settings, jvmFlags);
  }

  RelayContender withJvmFlag(String flag) {
    return new RelayContender(
        name, main, audited, settings, Stream.concat(jvmFlags.stream(), Stream.of(flag)).toList());
  }

  @Override
  public ChildCommand command(Lane lane) {
    return configured(ChildCommand.java(name, main.getName(), jvmFlags, List.of()), lane);
  }

  /** Any relay, told where to read and to write. */
  ChildCommand configured(ChildCommand bare, Lane lane) {
    ChildCommand command = bare.withOutput(lane.directory().resolve("relay.log"));
    for (String inherited : System.getenv().keySet()) {
      if (inherited.startsWith("ONCEWARD_")) {
        command = command.withEnvironment(inherited, "");
      }
    }
    Map<String, String> needed =
        Map.of(
            "onceward.database.url", lane.servers().url(),
            "onceward.database.user", "onceward_relay",
            "onceward.database.password", lane.servers().password(),
            "onceward.kafka.bootstrap.servers", lane.servers().bootstrapServers(),
            "onceward.topic-prefix", lane.topicPrefix(),
            "onceward.relay.slot-name", lane.slot(),
            "onceward.relay.health-host", "127.0.0.1",
            "onceward.relay.health-port", "0");
    return with(with(command, needed), settings);
  }

  private static ChildCommand with(ChildCommand command, Map<String, String> settings) {
    ChildCommand changed = command;
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      changed =
          changed.withEnvironment(
              setting.getKey().replaceAll("[.-]", "_").toUpperCase(Locale.ROOT),
              setting.getValue());
    }
    return changed;
  }

  /** Settled when the audit has seen every event in Kafka. */
  @Override
  public boolean settled(Lane lane) throws SQLException {
    if (!audited) {
      return true;
    }
    try (Connection superuser = lane.servers().connectAsSuperuser();
        PreparedStatement query = superuser.prepareStatement(AUDITED)) {
      query.setString(1, lane.slot());
      try (ResultSet row = query.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }
}

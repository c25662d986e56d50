package dev.onceward.ops.doctor;

import dev.onceward.db.migration.KnownMigrations;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The server itself, its clock, and the schema. Stateless. */
final class ServerChecks {

  private static final int OLDEST_VERSION = 16;
  private static final int NEWEST_VERSION = 18;
  private static final int VERSION_FACTOR = 10_000;

  /** Ids carry their writer's time, and the audit of a phantom compares it with the server's. */
  private static final Duration CLOCK_WARNING = Duration.ofSeconds(2);

  /** Beyond this an event near midnight lands days away from its partition's. */
  private static final Duration CLOCK_FAILURE = Duration.ofMinutes(1);

  private ServerChecks() {}

  static Answer version(Connection connection) throws SQLException {
    long major =
        Query.number(connection, "SELECT current_setting('server_version_num')") / VERSION_FACTOR;
    String found =
        "PostgreSQL " + Query.text(connection, "SELECT current_setting('server_version')");
    if (major < OLDEST_VERSION) {
      return Answer.failed(found, "Upgrade PostgreSQL to " + OLDEST_VERSION + " or newer");
    }
    return major > NEWEST_VERSION
        ? Answer.warning(
            found, "Run the tests of this project against it: it is newer than what they ran with")
        : Answer.ok(found);
  }

  static Answer primary(Connection connection) throws SQLException {
    return Query.text(connection, "SELECT pg_is_in_recovery()").equals("t")
        ? Answer.failed(
            "the server is a standby, and the relay needs the primary",
            "Correct onceward.database.url, or promote the server")
        : Answer.ok("it is");
  }

  static Answer walLevel(Connection connection) throws SQLException {
    String level = Query.text(connection, "SELECT current_setting('wal_level')");
    return level.equals("logical")
        ? Answer.ok(level)
        : Answer.failed(
            "wal_level = " + level + ": no row that is written can be streamed",
            "Set wal_level = logical in postgresql.conf and restart PostgreSQL");
  }

  static Answer schema(Connection connection) throws SQLException {
    String sql =
        """
        SELECT coalesce(max(h.version::int) FILTER (WHERE h.success), 0) FROM onceward.flyway_schema_history h
        """;
    long applied = Query.number(connection, sql);
    int known = KnownMigrations.newest();
    if (applied < known) {
      return Answer.failed(
          "migrations have run up to " + applied + ", this version brings " + known,
          "Run the migrations of this version, as onceward_owner");
    }
    return applied > known
        ? Answer.warning(
            "migrations have run up to " + applied + ", this version knows " + known,
            "Use the version of onceward that the processes have")
        : Answer.ok("migrations have run up to " + applied);
  }

  /** How far this machine's clock is from the server's, by the middle of the question. */
  static Answer clock(Connection connection, Clock clock) throws SQLException {
    Instant before = clock.instant();
    String epochMicros =
        Query.text(connection, "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint");
    Duration asked = Duration.between(before, clock.instant());
    Instant server = Instant.EPOCH.plus(Long.parseLong(epochMicros), ChronoUnit.MICROS);
    Duration ahead = Duration.between(before.plus(asked.dividedBy(2)), server);
    long millis = ahead.toMillis();
    String found =
        "the server's clock is "
            + Math.abs(millis)
            + " ms "
            + (millis < 0 ? "behind" : "ahead of")
            + " this machine's";
    String remedy = "Let both follow a time server (NTP)";
    // What the question took is not known to either side.
    Duration apart = ahead.abs().minus(asked.dividedBy(2));
    if (apart.compareTo(CLOCK_FAILURE) > 0) {
      return Answer.failed(found, remedy);
    }
    return apart.compareTo(CLOCK_WARNING) > 0 ? Answer.warning(found, remedy) : Answer.ok(found);
  }
}

package dev.onceward.ops.doctor;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The outbox table and its publication. Stateless. */
final class OutboxChecks {

  private static final List<String> COLUMNS =
      List.of(
          "id",
          "workspace_id",
          "event_type",
          "payload_version",
          "aggregate_type",
          "aggregate_id",
          "resource_type",
          "resource_id",
          "business_key",
          "request_id",
          "correlation_id",
          "traceparent",
          "payload");

  private static final String PUBLICATION =
      """
      SELECT problem
      FROM (SELECT) AS one
      LEFT JOIN pg_publication p ON p.pubname = 'onceward_outbox'
      LEFT JOIN pg_publication_tables t
        ON t.pubname = p.pubname AND t.schemaname = 'onceward' AND t.tablename = 'outbox_events'
      CROSS JOIN LATERAL (VALUES
        (p.pubname IS NULL, 'the publication onceward_outbox does not exist'),
        (t.tablename IS NULL AND p.pubname IS NOT NULL, 'it does not hold onceward.outbox_events'),
        (NOT p.pubinsert, 'it leaves out inserts'),
        (p.pubupdate OR p.pubdelete OR p.pubtruncate, 'it publishes more than inserts'),
        (NOT p.pubviaroot, 'it names the partitions instead of the table'),
        (t.rowfilter IS NOT NULL, 'it has a row filter')) AS found (holds, problem)
      WHERE holds
      """;

  private static final String PUBLISHED =
      """
      SELECT unnest(t.attnames)::text FROM pg_publication_tables t
      WHERE t.pubname = 'onceward_outbox' AND t.schemaname = 'onceward' AND t.tablename = 'outbox_events'
      """;

  // The first day from today on (UTC) that has no partition.
  private static final String DAYS_AHEAD =
      """
      SELECT coalesce(min(d), 61) FROM generate_series(0, 60) d
      WHERE NOT EXISTS (
        SELECT FROM pg_inherits i
        WHERE i.inhparent = 'onceward.outbox_events'::regclass
          AND i.inhrelid = to_regclass(
            'onceward.outbox_events_' || to_char(now() AT TIME ZONE 'UTC' + make_interval(days => d), 'YYYYMMDD')))
      """;

  private static final int ENOUGH_DAYS = 3;

  private OutboxChecks() {}

  static Answer publication(Connection connection) throws SQLException {
    List<String> problems = new ArrayList<>(Query.texts(connection, PUBLICATION));
    List<String> published = Query.texts(connection, PUBLISHED);
    if (!published.isEmpty()) {
      List<String> missing = new ArrayList<>(COLUMNS);
      missing.removeAll(published);
      List<String> others = new ArrayList<>(published);
      others.removeAll(COLUMNS);
      if (!missing.isEmpty()) {
        problems.add("it lacks the columns " + missing);
      }
      if (!others.isEmpty()) {
        problems.add("it has the columns " + others + ", which the relay cannot use");
      }
    }
    return Answer.unless(
        problems,
        "onceward_outbox, inserts only, " + published.size() + " columns",
        "Make it as V003 of the migrations does, then run onceward slot recreate with the relay"
            + " paused");
  }

  static Answer partitionsAhead(Connection connection) throws SQLException {
    long days = Query.number(connection, DAYS_AHEAD);
    String remedy =
        "Start the relay, which makes them, or run SELECT * FROM"
            + " onceward.outbox_create_partitions() as onceward_relay";
    if (days == 0) {
      return Answer.failed("today (UTC) has no partition", remedy);
    }
    String found = days + " days from today on have their partition";
    return days < ENOUGH_DAYS ? Answer.warning(found, remedy) : Answer.ok(found);
  }

  static Answer defaultPartition(Connection connection) throws SQLException {
    long rows = Query.number(connection, "SELECT count(*) FROM onceward.outbox_events_default");
    return rows == 0
        ? Answer.ok("empty")
        : Answer.warning(
            rows + " events have ids of days without a partition",
            "Set the clock of whoever writes them right; the rows stay there until their retention"
                + " is over");
  }

  static Answer unlogged(Connection connection) throws SQLException {
    String sql =
        """
        SELECT c.oid::regclass::text FROM pg_class c
        WHERE c.relnamespace = 'onceward'::regnamespace AND c.relkind IN ('r', 'p') AND c.relpersistence <> 'p'
        ORDER BY 1
        """;
    List<String> unlogged = Query.texts(connection, sql);
    return unlogged.isEmpty()
        ? Answer.ok("every table is in the log")
        : Answer.failed(
            String.join(", ", unlogged) + ": rows are not in the log, and a crash empties it",
            "ALTER TABLE … SET LOGGED; events written before are filled in by the audit");
  }
}

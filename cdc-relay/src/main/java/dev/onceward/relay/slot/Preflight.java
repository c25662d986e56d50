package dev.onceward.relay.slot;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Checks what a stream stands on, before each start. Stateless. */
public final class Preflight {
  /** The outbox table with its schema. */
  public static final String TABLE = "onceward.outbox_events";

  /** The publication that the migrations make. */
  public static final String PUBLICATION = "onceward_outbox";

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

  private static final String SERVER =
      """
      SELECT current_setting('wal_level') AS wal_level,
        pg_is_in_recovery() AS standby,
        -- Managed services grant replication by membership in a role of theirs.
        EXISTS (
          SELECT FROM pg_roles r
          WHERE pg_has_role(current_user, r.oid, 'MEMBER')
            AND (r.rolreplication OR r.rolsuper OR r.rolname LIKE '%replication%')
        ) AS may_replicate
      """;

  private static final String OUTBOX =
      """
      SELECT p.pubinsert, p.pubviaroot, t.attnames::text[] AS columns, t.rowfilter IS NOT NULL AS filtered,
        (SELECT string_agg(c.oid::regclass::text, ', ' ORDER BY c.relname)
         FROM pg_partition_tree(to_regclass('onceward.outbox_events')) tree
         JOIN pg_class c ON c.oid = tree.relid
         WHERE c.relpersistence <> 'p') AS unlogged
      FROM pg_publication p
      LEFT JOIN pg_publication_tables t
        ON t.pubname = p.pubname AND t.schemaname = 'onceward' AND t.tablename = 'outbox_events'
      WHERE p.pubname = ?
      """;

  private Preflight() {}

  /**
   * Checks server, role, table and publication.
   *
   * @throws NotPreparedException naming the first thing that an operator must mend
   */
  public static void check(RelaySession session) throws SQLException, NotPreparedException {
    checkServer(session);
    checkOutbox(session);
  }

  private static void checkServer(RelaySession session) throws SQLException, NotPreparedException {
    try (PreparedStatement query = session.connection().prepareStatement(SERVER);
        ResultSet row = query.executeQuery()) {
      row.next();
      String walLevel = row.getString("wal_level");
      require(
          "logical".equals(walLevel),
          "PostgreSQL runs with wal_level=" + walLevel + ", which writes no rows to its log",
          "Set wal_level = logical in postgresql.conf and restart PostgreSQL");
      require(
          row.getBoolean("may_replicate"),
          "The role \"" + session.connection().getMetaData().getUserName() + "\" lacks REPLICATION",
          "As superuser: ALTER ROLE "
              + session.connection().getMetaData().getUserName()
              + " REPLICATION (or the grant of your managed service, see bootstrap.sql)");
      require(
          !row.getBoolean("standby"),
          "The server is a standby, the relay needs the primary",
          "Correct onceward.database.url, or promote the server");
    }
  }

  /**
   * Checks table, publication and the role's sight of the rows. They may change under a running
   * stream, and newer servers then go on without a word and without rows.
   *
   * @throws NotPreparedException naming the first thing that an operator must mend
   */
  public static void checkOutbox(RelaySession session) throws SQLException, NotPreparedException {
    try (PreparedStatement query = session.connection().prepareStatement(OUTBOX)) {
      query.setString(1, PUBLICATION);
      try (ResultSet row = query.executeQuery()) {
        require(
            row.next(),
            "The publication \"" + PUBLICATION + "\" does not exist in this database",
            "Run the migrations, which make it");
        require(
            row.getBoolean("pubviaroot"),
            "The publication \"" + PUBLICATION + "\" sends rows under their partition's name",
            "ALTER PUBLICATION " + PUBLICATION + " SET (publish_via_partition_root = true)");
        String[] published = columns(row);
        require(
            published.length > 0,
            "The publication \"" + PUBLICATION + "\" does not hold the table " + TABLE,
            "Run the migrations, which make it");
        List<String> missing = new ArrayList<>(COLUMNS);
        missing.removeAll(Arrays.asList(published));
        require(
            missing.isEmpty(),
            "The publication \"" + PUBLICATION + "\" lacks the columns " + missing,
            "Give it the columns that the migrations give it");
        require(
            row.getBoolean("pubinsert") && !row.getBoolean("filtered"),
            "The publication \"" + PUBLICATION + "\" leaves rows out",
            "Set publish = 'insert' and remove its row filter");
        String unlogged = row.getString("unlogged");
        require(
            unlogged == null,
            "The log does not hold the rows of " + unlogged + ", which is not a logged table",
            "ALTER TABLE … SET LOGGED; rows written before must be written again");
      }
    }
    RowVisibility.check(session);
  }

  private static String[] columns(ResultSet row) throws SQLException {
    return row.getArray("columns") == null
        ? new String[0]
        : (String[]) row.getArray("columns").getArray();
  }

  private static void require(boolean condition, String message, String remedy)
      throws NotPreparedException {
    if (!condition) {
      throw new NotPreparedException(message, remedy, null);
    }
  }
}

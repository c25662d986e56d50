package dev.onceward.bench.relay;

import dev.onceward.bench.BenchServers;
import dev.onceward.embedded.ChildCommand;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyOut;

/**
 * A relay as services commonly write it, with so many rows at a time. In a database of its own:
 * whoever reads the log would have to come through all that it writes.
 */
record PollingContender(int batch, List<String> jvmFlags) implements Contender {
  /** Its rows, in the order of the backlog. No row-level security, and one narrow index. */
  private static final String TABLE =
      """
      DROP TABLE IF EXISTS polled_events;
      CREATE TABLE polled_events (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        aggregate_id text NOT NULL,
        payload json NOT NULL,
        sent_at timestamptz
      );
      CREATE INDEX polled_events_unsent ON polled_events (number) WHERE sent_at IS NULL;
      GRANT SELECT, INSERT, UPDATE ON polled_events TO onceward_app;
      """;

  private static final String READ =
      "COPY (SELECT id, aggregate_id, payload FROM onceward.outbox_events ORDER BY xid, id) TO STDOUT";

  private static final String WRITE = "COPY polled_events (id, aggregate_id, payload) FROM STDIN";

  private static final String INSERT =
      """
      INSERT INTO polled_events (aggregate_id, payload)
      SELECT 'thing-' || text, json_build_object('text', text || repeat('x', 270))
      FROM (SELECT ?::text) AS given (text)
      """;

  @Override
  public String name() {
    return "polling-" + batch;
  }

  @Override
  public void prepare(Lane lane) throws SQLException {
    execute(lane, TABLE);
    copy(lane);
    execute(lane, "VACUUM (ANALYZE) polled_events");
  }

  private static void copy(Lane lane) throws SQLException {
    try (Connection outbox = lane.servers().connectAsSuperuser();
        Connection own = lane.servers().connectToOther()) {
      CopyOut rows = outbox.unwrap(PGConnection.class).getCopyAPI().copyOut(READ);
      CopyIn copies = own.unwrap(PGConnection.class).getCopyAPI().copyIn(WRITE);
      for (byte[] row = rows.readFromCopy(); row != null; row = rows.readFromCopy()) {
        copies.writeToCopy(row, 0, row.length);
      }
      copies.endCopy();
    }
  }

  @Override
  public void prepareLive(Lane lane) throws SQLException {
    execute(lane, TABLE);
  }

  private static void execute(Lane lane, String... statements) throws SQLException {
    try (Connection superuser = lane.servers().connectToOther();
        Statement statement = superuser.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  @Override
  public String insert() {
    return INSERT;
  }

  @Override
  public String url(Lane lane) {
    return lane.servers().otherUrl();
  }

  @Override
  public ChildCommand command(Lane lane) {
    return ClientSettings.give(
        ChildCommand.java(
            name(), PollingMain.class.getName(), jvmFlags, List.of(Integer.toString(batch))),
        lane,
        url(lane),
        BenchServers.APP_ROLE);
  }
}

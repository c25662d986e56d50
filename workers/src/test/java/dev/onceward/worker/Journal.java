package dev.onceward.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.OperationState;
import dev.onceward.db.test.MigratedDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes down every change of an operation's state as the database sees it, and what came of it.
 */
final class Journal {

  private static final String TABLES =
      """
      CREATE SCHEMA test;
      CREATE TABLE test.calls (event_id uuid NOT NULL);
      CREATE TABLE test.effects (event_id uuid NOT NULL);
      CREATE TABLE test.changes (operation_id uuid NOT NULL, before text NOT NULL, after text NOT NULL);
      GRANT USAGE ON SCHEMA test TO onceward_app;
      GRANT SELECT, INSERT ON test.calls, test.effects TO onceward_app;
      CREATE FUNCTION test.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      BEGIN
        INSERT INTO test.changes VALUES (NEW.id, OLD.state, NEW.state);
        RETURN NULL;
      END $$;
      CREATE TRIGGER note AFTER UPDATE ON onceward.operations FOR EACH ROW
        WHEN (OLD.state <> NEW.state OR OLD.attempt <> NEW.attempt) EXECUTE FUNCTION test.note();
      """;

  private final MigratedDatabase database;

  private Journal(MigratedDatabase database) {
    this.database = database;
  }

  /** Begins to write. */
  static Journal of(MigratedDatabase database) throws SQLException {
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement()) {
      statement.execute(TABLES);
    }
    return new Journal(database);
  }

  long count(String what) throws SQLException {
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + what)) {
      row.next();
      return row.getLong(1);
    }
  }

  long succeeded() throws SQLException {
    return count("onceward.operations WHERE state = 'succeeded'");
  }

  /** Every change is one of the state machine's. */
  void assertLegal() throws SQLException {
    Map<String, Long> illegal = new HashMap<>();
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT before, after, count(*) FROM test.changes GROUP BY before, after")) {
      while (row.next()) {
        OperationState before = OperationState.ofLabel(row.getString(1));
        OperationState after = OperationState.ofLabel(row.getString(2));
        if (!before.successors().contains(after)) {
          illegal.put(before + " -> " + after, row.getLong(3));
        }
      }
    }
    assertThat(illegal).as("changes that the state machine does not know").isEmpty();
  }

  /** All succeeded, each with one effect, and no attempt was counted too often or not at all. */
  void assertOnce(NewTask... tasks) throws SQLException {
    assertLegal();
    assertThat(succeeded()).as("succeeded").isEqualTo(tasks.length);
    assertThat(count("(SELECT FROM test.changes WHERE after = 'succeeded') AS once"))
        .as("each succeeded once")
        .isEqualTo(tasks.length);
    assertThat(
            count(
                """
                onceward.operations o WHERE (SELECT count(*) FROM test.effects e WHERE e.event_id = o.event_id)
                  <> CASE WHEN o.subject_id LIKE 'plain%' THEN 0 ELSE 1 END
                """))
        .as("operations without exactly one effect")
        .isZero();
    assertThat(
            count(
                """
                onceward.operations o JOIN (
                  SELECT operation_id, count(*) FILTER (WHERE after = 'running') AS claims,
                    count(*) FILTER (WHERE before = 'running' AND after = 'queued') AS handed_back
                  FROM test.changes GROUP BY operation_id) c ON c.operation_id = o.id
                WHERE o.attempt <> c.claims - c.handed_back
                """))
        .as("operations whose attempts are not their claims")
        .isZero();
  }
}

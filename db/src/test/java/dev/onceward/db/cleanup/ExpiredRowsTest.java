package dev.onceward.db.cleanup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.Database;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
class ExpiredRowsTest {

  private static final String REQUESTS =
      """
      INSERT INTO onceward.idempotency_requests (workspace_id, user_id, method, path, key, fingerprint,
        fingerprint_key_id, status, response_status, created_at, expires_at)
      SELECT '%1$s', '%2$s', 'POST', '/x', k.key, decode(repeat('00', 32), 'hex'), 'k', 'completed', 202,
        now() - interval '3 days', now() + k.left_over
      FROM (VALUES ('live', interval '1 minute'), ('old-1', interval '-1 minute'), ('old-2', interval '-1 hour'),
        ('old-3', interval '-1 day')) k (key, left_over)
      """;

  private static final String RECEIPTS =
      """
      WITH h AS (INSERT INTO onceward.hooks (workspace_id, name, action, secret)
          VALUES ('%1$s', 'h', 'resolve_todo', '') RETURNING id, workspace_id),
        k (key, status, age) AS (VALUES ('live', 'accepted', interval '29 days'),
          ('old', 'accepted', interval '31 days'), ('old-rejected', 'rejected', interval '31 days'),
          ('processing', 'processing', interval '400 days')),
        a AS (INSERT INTO onceward.api_receipts (workspace_id, owner_user_id, idem_key, status, run_id, detail,
            received_at, access_key_id, endpoint)
          SELECT '%1$s', '%2$s', key, status, CASE status WHEN 'accepted' THEN onceward.uuid_v7() END,
            CASE status WHEN 'rejected' THEN 'no' END, now() - age, 'abcdefgh', 'POST /x' FROM k)
      INSERT INTO onceward.hook_receipts (workspace_id, hook_id, idem_key, status, run_id, detail, received_at)
      SELECT h.workspace_id, h.id, key, status, CASE status WHEN 'accepted' THEN h.id END,
        CASE status WHEN 'rejected' THEN 'no' END, now() - age FROM h, k
      """;

  /** One upload of each state, each with a chunk once it has bytes; old ones but the live two. */
  private static final String UPLOADS =
      """
      WITH m AS (INSERT INTO onceward.media (workspace_id, file_name, status, size_bytes, sha256, detected_type,
            rejection_code, updated_at)
          SELECT '%1$s', name, status, CASE WHEN status <> 'awaiting_content' THEN 1 END,
            CASE WHEN status <> 'awaiting_content' THEN decode(repeat('00', 32), 'hex') END,
            CASE WHEN status IN ('ready', 'rejected') THEN 'image/png' END,
            CASE WHEN status = 'rejected' THEN 'no' END, now() - age
          FROM (VALUES ('live-empty', 'awaiting_content', interval '6 days'),
            ('live-uploaded', 'uploaded', interval '6 days'), ('old-empty', 'awaiting_content', interval '8 days'),
            ('old-uploaded', 'uploaded', interval '8 days'), ('processing', 'processing', interval '8 days'),
            ('ready', 'ready', interval '8 days'), ('rejected', 'rejected', interval '8 days')) k (name, status, age)
          RETURNING id, workspace_id, status)
      INSERT INTO onceward.media_chunks (workspace_id, media_id, number, content)
      SELECT workspace_id, id, 0, 'x' FROM m WHERE status <> 'awaiting_content'
      """;

  private MigratedDatabase database;
  private Database app;

  @BeforeEach
  void rows_of_two_workspaces(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    app = database.app();
    for (Tenant tenant : List.of(database.newTenant(), database.newTenant())) {
      for (String sql : List.of(REQUESTS, RECEIPTS, UPLOADS)) {
        try (Connection connection = database.superuser();
            Statement statement = connection.createStatement()) {
          statement.execute(sql.formatted(tenant.workspaceId(), tenant.userId()));
        }
      }
    }
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  void what_is_over_goes_in_every_workspace_and_what_lives_or_is_in_hand_stays()
      throws SQLException {
    assertThat(delete(ExpiredRows.IDEMPOTENCY_REQUESTS, 100)).isEqualTo(6);
    assertThat(delete(ExpiredRows.API_RECEIPTS, 100)).isEqualTo(4);
    assertThat(delete(ExpiredRows.HOOK_RECEIPTS, 100)).isEqualTo(4);
    assertThat(delete(ExpiredRows.ABANDONED_UPLOADS, 100)).isEqualTo(4);

    assertThat(keys("idempotency_requests", "key")).isEqualTo("live,live");
    assertThat(keys("api_receipts", "idem_key")).isEqualTo("live,live,processing,processing");
    assertThat(keys("hook_receipts", "idem_key")).isEqualTo("live,live,processing,processing");
    assertThat(keys("media", "file_name"))
        .isEqualTo(
            "live-empty,live-empty,live-uploaded,live-uploaded,processing,processing,ready,ready,"
                + "rejected,rejected");
    assertThat(keys("media_chunks", "number::text")).isEqualTo("0,0,0,0,0,0,0,0");
    for (ExpiredRows rows : ExpiredRows.values()) {
      assertThat(delete(rows, 100)).as(rows.table()).isZero();
    }
  }

  @Test
  void a_batch_is_no_larger_than_asked() throws SQLException {
    assertThat(delete(ExpiredRows.IDEMPOTENCY_REQUESTS, 4)).isEqualTo(4);
    assertThat(delete(ExpiredRows.IDEMPOTENCY_REQUESTS, 4)).isEqualTo(2);
    assertThat(keys("idempotency_requests", "key")).isEqualTo("live,live");
  }

  @Test
  void two_at_once_do_not_wait_for_each_other_and_share_the_rows() throws SQLException {
    try (Connection first = database.connect("onceward_app");
        Connection second = database.connect("onceward_app")) {
      first.setAutoCommit(false);
      second.setAutoCommit(false);

      int one = ExpiredRows.IDEMPOTENCY_REQUESTS.delete(first, 4);
      int other = ExpiredRows.IDEMPOTENCY_REQUESTS.delete(second, 4);
      first.commit();
      second.commit();

      assertThat(List.of(one, other)).containsExactly(4, 2);
    }
  }

  private int delete(ExpiredRows rows, int atMost) throws SQLException {
    return app.inTransaction(connection -> rows.delete(connection, atMost));
  }

  private String keys(String table, String column) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT string_agg(%s, ',' ORDER BY %s) FROM onceward.%s"
                    .formatted(column, column, table))) {
      row.next();
      return row.getString(1);
    }
  }
}

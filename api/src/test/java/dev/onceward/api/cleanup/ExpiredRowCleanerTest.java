package dev.onceward.api.cleanup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresOptions;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.ShutdownMode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The loop of the clean-up, on a server of its own that goes away in the middle. */
class ExpiredRowCleanerTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int BATCH = 3;

  /** Seven that are over and two that are not, of each sort. */
  private static final String ROWS =
      """
      INSERT INTO onceward.idempotency_requests (workspace_id, user_id, method, path, key, fingerprint,
        fingerprint_key_id, status, response_status, created_at, expires_at)
      SELECT '%1$s', '%2$s', 'POST', '/x', '%3$s-' || n, decode(repeat('00', 32), 'hex'), 'k', 'completed', 202,
        now() - interval '9 days', now() + CASE WHEN n > 7 THEN interval '1 hour' ELSE interval '-1 minute' END
      FROM generate_series(1, 9) n;
      WITH h AS (INSERT INTO onceward.hooks (workspace_id, name, action, secret)
          VALUES ('%1$s', 'h', 'resolve_todo', '') RETURNING id)
      INSERT INTO onceward.hook_receipts (workspace_id, hook_id, idem_key, status, run_id, received_at)
      SELECT '%1$s', h.id, '%3$s-' || n, CASE n WHEN 9 THEN 'processing' ELSE 'accepted' END,
        CASE WHEN n < 9 THEN h.id END, now() - CASE n WHEN 8 THEN interval '29 days' ELSE interval '31 days' END
      FROM h, generate_series(1, 9) n;
      INSERT INTO onceward.api_receipts (workspace_id, owner_user_id, idem_key, status, detail, received_at,
        access_key_id, endpoint)
      SELECT '%1$s', '%2$s', '%3$s-' || n, CASE n WHEN 9 THEN 'processing' ELSE 'rejected' END,
        CASE WHEN n < 9 THEN 'no' END, now() - CASE n WHEN 8 THEN interval '29 days' ELSE interval '31 days' END,
        'abcdefgh', 'POST /x'
      FROM generate_series(1, 9) n;
      INSERT INTO onceward.media (workspace_id, file_name, updated_at)
      SELECT '%1$s', '%3$s-' || n, now() - CASE WHEN n > 7 THEN interval '6 days' ELSE interval '8 days' END
      FROM generate_series(1, 9) n
      """;

  /** Writes down how many rows each statement deletes. */
  private static final String WATCH =
      """
      CREATE TABLE public.deletions (deleted_from text, transaction xid8, deleted bigint);
      CREATE FUNCTION public.note_deletion() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      BEGIN
        INSERT INTO public.deletions
          SELECT TG_TABLE_NAME, pg_current_xact_id(), count(*) FROM gone HAVING count(*) > 0;
        RETURN NULL;
      END $$;
      CREATE TRIGGER noted AFTER DELETE ON onceward.idempotency_requests REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION public.note_deletion();
      CREATE TRIGGER noted AFTER DELETE ON onceward.hook_receipts REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION public.note_deletion();
      CREATE TRIGGER noted AFTER DELETE ON onceward.api_receipts REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION public.note_deletion();
      CREATE TRIGGER noted AFTER DELETE ON onceward.media REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION public.note_deletion()
      """;

  @Test
  void the_loop_deletes_what_is_over_in_small_batches_and_goes_on_after_an_outage()
      throws Exception {
    SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    try (PostgresServer server =
            PostgresServer.start(PostgresOptions.temporary().withoutDurability());
        MigratedDatabase database = MigratedDatabase.create(server);
        ExpiredRowCleaner cleaner =
            new ExpiredRowCleaner(
                database.app(), new CleanUpConfig(Duration.ofMillis(100), BATCH), metrics)) {
      Tenant tenant = database.newTenant();
      sql(database, WATCH);
      insert(database, tenant, "before");

      cleaner.start();

      await().atMost(LIMIT).untilAsserted(() -> assertThat(left(database)).isEqualTo("2 2 2 2"));
      assertThat(
              text(
                  database,
                  "SELECT string_agg(idem_key, ' ' ORDER BY 1) FROM onceward.hook_receipts"))
          .isEqualTo("before-8 before-9");
      assertThat(
              text(
                  database,
                  "SELECT string_agg(deleted_from || ' ' || deleted, ', ' ORDER BY deleted_from, deleted) FROM public.deletions"))
          .isEqualTo(
              "api_receipts 1, api_receipts 3, api_receipts 3, hook_receipts 1, hook_receipts 3, hook_receipts 3,"
                  + " idempotency_requests 1, idempotency_requests 3, idempotency_requests 3, media 1, media 3, media 3");
      assertThat(text(database, "SELECT count(DISTINCT transaction) FROM public.deletions"))
          .isEqualTo("12");
      assertThat(deleted(metrics, "idempotency_requests")).isEqualTo(7);
      assertThat(failures(metrics)).isZero();

      server.stop(ShutdownMode.FAST);
      await().atMost(LIMIT).until(() -> failures(metrics) >= 2);
      server.start();
      insert(database, tenant, "after");

      await().atMost(LIMIT).untilAsserted(() -> assertThat(left(database)).isEqualTo("4 4 4 4"));
      assertThat(deleted(metrics, "media")).isEqualTo(14);
    }
  }

  private static double deleted(SimpleMeterRegistry metrics, String table) {
    return metrics.get("onceward.api.cleanup.deleted").tag("table", table).counter().count();
  }

  private static double failures(SimpleMeterRegistry metrics) {
    return metrics.get("onceward.api.cleanup.failures").counter().count();
  }

  private static void insert(MigratedDatabase database, Tenant tenant, String name)
      throws SQLException {
    sql(database, ROWS.formatted(tenant.workspaceId(), tenant.userId(), name));
  }

  private static String left(MigratedDatabase database) throws SQLException {
    return text(
        database,
        "SELECT concat_ws(' ', (SELECT count(*) FROM onceward.idempotency_requests),"
            + " (SELECT count(*) FROM onceward.hook_receipts), (SELECT count(*) FROM onceward.api_receipts),"
            + " (SELECT count(*) FROM onceward.media))");
  }

  private static void sql(MigratedDatabase database, String sql) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String text(MigratedDatabase database, String sql) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}

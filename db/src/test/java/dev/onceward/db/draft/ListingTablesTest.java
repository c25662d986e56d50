package dev.onceward.db.draft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.db.Database;
import dev.onceward.db.SqlStates;
import dev.onceward.db.ai.AiTaskStore;
import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.TaskWriter;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.secret.CredentialCipher;
import dev.onceward.db.store.StoreAuthorizationStore;
import dev.onceward.db.sync.ProductStore;
import dev.onceward.db.sync.ProductSyncStore;
import dev.onceward.db.sync.ReadProduct;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may see and change what in the tables of drafts, publications, syncs, products, AI tasks. */
@ExtendWith(InfrastructureExtension.class)
@Tag("S51")
class ListingTablesTest {

  private static final List<String> TABLES =
      List.of("drafts", "publications", "product_syncs", "products", "ai_tasks", "kept_events");

  private MigratedDatabase database;
  private Workspace one;
  private Workspace other;

  private record Workspace(Tenant tenant, UUID storeId, Draft draft, UUID operationId) {}

  @BeforeEach
  void two_workspaces_with_a_row_in_each_table(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    one = fill(database.newTenant());
    other = fill(database.newTenant());
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  void each_workspace_sees_and_changes_its_own_row_of_each_table_alone() throws SQLException {
    for (String table : TABLES) {
      assertThat(count(database.superuser(), table)).as(table).isEqualTo(2);
      for (Workspace workspace : List.of(one, other)) {
        String seen =
            in(
                workspace,
                connection ->
                    text(
                        connection,
                        "SELECT string_agg(workspace_id::text, ',') FROM onceward." + table));
        assertThat(seen).as(table).isEqualTo(workspace.tenant().workspaceId().toString());
      }
      assertThat(count(database.connect("onceward_app"), table)).as(table).isZero();
    }
    Optional<Draft> replaced =
        in(
            one,
            connection ->
                DraftStore.replace(connection, other.draft().id(), 1, other.draft().content()));
    assertThat(replaced).isEmpty();
    int removed =
        in(
            one,
            connection ->
                ProductStore.removeOthers(connection, other.storeId(), UUID.randomUUID()));
    assertThat(removed).isZero();
  }

  @Test
  void no_row_can_point_into_another_workspace() {
    refusedBy(
        "drafts_store",
        connection ->
            DraftStore.insert(
                connection, new DraftContent(other.storeId(), "t", null, null, List.of())));
    refusedBy(
        "publications_draft",
        connection -> {
          PublicationStore.insert(
              connection,
              UUID.randomUUID(),
              task(connection, "other_kind", "draft", "1"),
              new Draft(
                  other.draft().id(),
                  one.draft().content(),
                  1,
                  one.draft().createdAt(),
                  one.draft().updatedAt()));
          return true;
        });
    refusedBy(
        "publications_operation",
        connection -> {
          PublicationStore.insert(connection, UUID.randomUUID(), other.operationId(), one.draft());
          return true;
        });
    refusedBy(
        "product_syncs_store",
        connection -> {
          ProductSyncStore.insert(
              connection,
              UUID.randomUUID(),
              task(connection, "other_kind", "store", "1"),
              other.storeId());
          return true;
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE onceward.publications SET title = 'x'",
        "UPDATE onceward.publications SET draft_revision = 2",
        "UPDATE onceward.publications SET operation_id = gen_random_uuid()",
        "UPDATE onceward.ai_tasks SET input = '{}'",
        "UPDATE onceward.kept_events SET payload = '{}'",
        "UPDATE onceward.products SET store_id = gen_random_uuid()",
        "DELETE FROM onceward.drafts",
        "DELETE FROM onceward.publications",
        "DELETE FROM onceward.product_syncs",
        "DELETE FROM onceward.ai_tasks",
        "DELETE FROM onceward.kept_events",
      })
  void what_was_asked_for_stays_as_it_was(String attempt) {
    assertThatThrownBy(
            () ->
                in(
                    one,
                    connection -> {
                      try (Statement statement = connection.createStatement()) {
                        return statement.execute(attempt);
                      }
                    }))
        .isInstanceOfSatisfying(
            SQLException.class,
            refused ->
                assertThat(refused.getSQLState()).isEqualTo(SqlStates.INSUFFICIENT_PRIVILEGE));
  }

  @Test
  void operators_see_of_every_workspace_which_rows_there_are_but_not_what_they_say()
      throws SQLException {
    for (String role : List.of("onceward_ops", "onceward_ops_read")) {
      for (String seen :
          List.of(
              "SELECT count(id) FROM onceward.drafts",
              "SELECT count(listing_id) + count(id) FROM onceward.publications",
              "SELECT count(*) FROM onceward.product_syncs",
              "SELECT count(id) FROM onceward.ai_tasks")) {
        try (Connection connection = database.connect(role)) {
          assertThat(text(connection, seen)).as(role + ": " + seen).isEqualTo("2");
        }
      }
      for (String hidden :
          List.of(
              "SELECT title FROM onceward.drafts",
              "SELECT description FROM onceward.publications",
              "SELECT input FROM onceward.ai_tasks",
              "SELECT title FROM onceward.products")) {
        try (Connection connection = database.connect(role)) {
          assertThatThrownBy(() -> text(connection, hidden))
              .as(role + ": " + hidden)
              .hasMessageContaining("permission denied");
        }
      }
    }
  }

  @Test
  void a_secret_is_refused_by_the_table_itself() {
    refusedBy(
        "drafts_title_without_secret",
        connection ->
            DraftStore.insert(
                connection,
                new DraftContent(
                    one.storeId(), "https://user:pass@example.com/", null, null, List.of())));
    refusedBy(
        "ai_tasks_input_without_secret",
        connection -> {
          AiTaskStore.insert(
              connection,
              UUID.randomUUID(),
              task(connection, "other_kind", "ai_task", "1"),
              "text",
              "{\"api_key\":\"abc\"}");
          return true;
        });
    refusedBy(
        "products_title_without_secret",
        connection -> {
          ProductStore.write(
              connection,
              one.storeId(),
              UUID.randomUUID(),
              List.of(new ReadProduct("x", "https://x.example/?sig=abc", null)));
          return true;
        });
  }

  private Workspace fill(Tenant tenant) throws SQLException {
    CredentialCipher cipher = new CredentialCipher(Map.of("k", new byte[32]));
    Workspace filled =
        database
            .app()
            .inWorkspace(
                tenant.workspaceId(),
                connection -> {
                  UUID storeId =
                      new StoreAuthorizationStore(cipher)
                          .insert(connection, "shopline", "shop", "Shop", "{\"a\":\"b\"}")
                          .orElseThrow()
                          .id();
                  Draft draft =
                      DraftStore.insert(
                          connection,
                          new DraftContent(
                              storeId, "Tee", "fine", "1.0", List.of(UUID.randomUUID())));
                  UUID published =
                      task(connection, "publish_listing", "draft", draft.id().toString());
                  PublicationStore.insert(connection, UUID.randomUUID(), published, draft);
                  UUID synced = task(connection, "sync_products", "store", storeId.toString());
                  ProductSyncStore.insert(connection, UUID.randomUUID(), synced, storeId);
                  ProductStore.write(
                      connection,
                      storeId,
                      UUID.randomUUID(),
                      List.of(new ReadProduct("p", "Tee", null)));
                  UUID ran = task(connection, "run_ai_task", "ai_task", "1");
                  AiTaskStore.insert(connection, UUID.randomUUID(), ran, "text", "{\"a\":1}");
                  return new Workspace(tenant, storeId, draft, ran);
                });
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement()) {
      statement.execute(
          "UPDATE onceward.operations SET state = 'failed', last_error_code = 'A_TEST', finished_at"
              + " = now() WHERE id = '"
              + filled.operationId()
              + "'");
    }
    return filled;
  }

  private static UUID task(Connection connection, String kind, String type, String id)
      throws SQLException {
    NewTask task =
        NewTask.of(kind, NewEvent.of("thing.asked", "thing", id, "{}").withResource(type, id));
    TaskWriter.append(connection, task);
    return task.operationId();
  }

  private void refusedBy(String constraint, Database.Work<?> work) {
    assertThatThrownBy(() -> in(one, work))
        .as(constraint)
        .isInstanceOfSatisfying(
            SQLException.class,
            refused -> {
              // Of a batch, the statement's own failure comes next.
              SQLException next = refused.getNextException();
              assertThat(SqlStates.constraint(next == null ? refused : next)).isEqualTo(constraint);
            });
  }

  private <T> T in(Workspace workspace, Database.Work<T> work) throws SQLException {
    return database.app().inWorkspace(workspace.tenant().workspaceId(), work);
  }

  private static long count(Connection connection, String table) throws SQLException {
    try (connection) {
      return Long.parseLong(text(connection, "SELECT count(*)::text FROM onceward." + table));
    }
  }

  private static String text(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return String.valueOf(row.getString(1));
    }
  }
}

package dev.onceward.db.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.db.Database;
import dev.onceward.db.SqlStates;
import dev.onceward.db.secret.CredentialCipher;
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
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
class StoreAuthorizationStoreTest {

  private static final String CREDENTIALS = "{\"app_secret\":\"very hidden\"}";

  private final StoreAuthorizationStore stores =
      new StoreAuthorizationStore(new CredentialCipher(Map.of("k1", new byte[32])));
  private MigratedDatabase database;
  private Tenant tenant;

  @BeforeEach
  void tenant(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    tenant = database.newTenant();
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  void a_shop_is_authorised_once_per_workspace() throws SQLException {
    assertThat(maybe(c -> stores.insert(c, "shopline", "shop-1", "Shop", CREDENTIALS))).isPresent();
    assertThat(maybe(c -> stores.insert(c, "shopline", "shop-1", "Again", CREDENTIALS))).isEmpty();
    Tenant other = database.newTenant();
    Optional<StoreAuthorization> theirs =
        database
            .app()
            .inWorkspace(
                other.workspaceId(),
                c -> stores.insert(c, "shopline", "shop-1", "Theirs", CREDENTIALS));
    assertThat(theirs).isPresent();
  }

  @Test
  void credentials_come_back_decrypted_and_lie_encrypted() throws SQLException {
    UUID id =
        in(c -> stores.insert(c, "shopline", "shop-1", "Shop", CREDENTIALS)).orElseThrow().id();
    StoreCredentials read = in(c -> stores.readCredentials(c, id)).orElseThrow();
    assertThat(read.credentials()).isEqualTo(CREDENTIALS);
    assertThat(read.toString()).doesNotContain("hidden");
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT encode(credentials, 'escape') FROM onceward.stores")) {
      row.next();
      assertThat(row.getString(1)).doesNotContain("hidden");
    }
  }

  @Test
  void a_verification_of_replaced_credentials_is_not_recorded() throws SQLException {
    UUID id =
        in(c -> stores.insert(c, "shopline", "shop-1", "Shop", CREDENTIALS)).orElseThrow().id();
    assertThat(yes(c -> stores.recordVerification(c, id, 1, true, "The Shop"))).isTrue();
    assertThat(maybe(c -> stores.find(c, id)).orElseThrow().verification()).isEqualTo("verified");
    StoreAuthorization replaced = in(c -> stores.replaceCredentials(c, id, "{}")).orElseThrow();
    assertThat(replaced.credentialVersion()).isEqualTo(2);
    assertThat(replaced.verification()).isEqualTo("pending");
    assertThat(yes(c -> stores.recordVerification(c, id, 1, false, null))).isFalse();
    assertThat(maybe(c -> stores.find(c, id)).orElseThrow().verification()).isEqualTo("pending");
    OptionalInt version = in(c -> stores.credentialVersion(c, id));
    assertThat(version).hasValue(2);
  }

  @Test
  void another_workspaces_store_is_as_unknown_as_one_that_does_not_exist() throws SQLException {
    UUID id =
        in(c -> stores.insert(c, "shopline", "shop-1", "Shop", CREDENTIALS)).orElseThrow().id();
    Tenant other = database.newTenant();
    database
        .app()
        .runInWorkspace(
            other.workspaceId(),
            c -> {
              assertThat(stores.find(c, id)).isEmpty();
              assertThat(stores.readCredentials(c, id)).isEmpty();
              assertThat(stores.replaceCredentials(c, id, "{}")).isEmpty();
              assertThat(stores.list(c, null, 10)).isEmpty();
            });
    assertThat(many(c -> stores.list(c, null, 10)))
        .extracting(StoreAuthorization::id)
        .containsExactly(id);
    assertThat(many(c -> stores.list(c, id, 10))).isEmpty();
  }

  @Test
  void a_secret_in_what_is_shown_is_refused_by_the_table_itself() throws SQLException {
    String signed = "https://shop.example/?sig=abc";
    UUID id =
        in(c -> stores.insert(c, "shopline", "shop-1", "Shop", CREDENTIALS)).orElseThrow().id();
    refusedBy(
        "stores_external_id_without_secret",
        c -> stores.insert(c, "shopline", signed, "Shop", CREDENTIALS));
    refusedBy(
        "stores_name_without_secret",
        c -> stores.insert(c, "shopline", "shop-2", signed, CREDENTIALS));
    refusedBy(
        "stores_account_name_without_secret",
        c -> stores.recordVerification(c, id, 1, true, signed));
  }

  private void refusedBy(String constraint, Database.Work<?> write) {
    assertThatThrownBy(() -> in(write))
        .isInstanceOfSatisfying(
            SQLException.class,
            refused -> assertThat(SqlStates.constraint(refused)).isEqualTo(constraint));
  }

  // AssertJ's assertThat is ambiguous for a bare type variable.
  private boolean yes(Database.Work<Boolean> work) throws SQLException {
    return in(work);
  }

  private <T> Optional<T> maybe(Database.Work<Optional<T>> work) throws SQLException {
    return in(work);
  }

  private <T> List<T> many(Database.Work<List<T>> work) throws SQLException {
    return in(work);
  }

  private <T> T in(Database.Work<T> work) throws SQLException {
    return database.app().inWorkspace(tenant.workspaceId(), work);
  }
}

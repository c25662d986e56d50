package dev.onceward.db.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(InfrastructureExtension.class)
class AccessKeyTest {

  @Test
  void a_token_reads_back_and_shows_its_secret_only_when_revealed() {
    AccessKeyToken token = AccessKeyToken.generate();
    AccessKeyToken parsed = AccessKeyToken.parse(token.reveal()).orElseThrow();
    assertThat(parsed.keyId()).isEqualTo(token.keyId());
    assertThat(parsed.matches(token.secretHash())).isTrue();
    assertThat(parsed.matches(AccessKeyToken.generate().secretHash())).isFalse();
    assertThat(token.reveal())
        .doesNotContain(token.toString())
        .startsWith("ow_" + token.keyId() + "_");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ow_",
        "ow_short_x",
        "xx_abcdefgh_0123456789012345678901234567890123456789012",
        "ow_ABCDEFGH_0123456789012345678901234567890123456789012"
      })
  void texts_of_another_form_are_no_token(String text) {
    assertThat(AccessKeyToken.parse(text)).isEmpty();
  }

  @Test
  void a_stored_key_is_found_without_a_workspace_and_can_be_revoked(PostgresServer server)
      throws SQLException {
    try (MigratedDatabase database = MigratedDatabase.create(server);
        Connection connection = database.connect("onceward_app")) {
      Tenant tenant = database.newTenant();
      String keyId = tenant.accessKey().keyId();
      AccessKey found = AccessKeyStore.find(connection, keyId).orElseThrow();
      assertThat(found.userId()).isEqualTo(tenant.userId());
      assertThat(found.valid()).isTrue();
      assertThat(found.role()).isEqualTo(Role.ADMINISTRATOR);
      assertThat(tenant.accessKey().matches(found.secretHash())).isTrue();
      Tenant other = database.newTenant();
      assertThat(revoke(database, other, keyId)).as("another workspace's").isFalse();
      assertThat(revoke(database, tenant, keyId)).isTrue();
      assertThat(revoke(database, tenant, keyId)).as("again").isFalse();
      assertThat(AccessKeyStore.find(connection, keyId).orElseThrow().valid()).isFalse();
      assertThat(AccessKeyStore.find(connection, "00000000")).isEmpty();
    }
  }

  private static boolean revoke(MigratedDatabase database, Tenant tenant, String keyId)
      throws SQLException {
    return database.app().inWorkspace(tenant.workspaceId(), c -> AccessKeyStore.revoke(c, keyId));
  }
}

package dev.onceward.relay.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
class OutboxRowsTest {
  /** What an administrator may have set for every login. */
  @Test
  void a_session_that_reads_the_outbox_is_not_ended_by_the_servers_limits(PostgresServer postgres)
      throws SQLException {
    try (MigratedDatabase database = MigratedDatabase.create(postgres);
        Connection connection = database.connect("onceward_relay");
        Statement statement = connection.createStatement()) {
      statement.execute("SET idle_in_transaction_session_timeout = '20s'");
      statement.execute("SET statement_timeout = '30s'");

      OutboxRows.untimed(connection);

      try (ResultSet row =
          statement.executeQuery(
              "SELECT current_setting('idle_in_transaction_session_timeout') || ' '"
                  + " || current_setting('statement_timeout')")) {
        assertThat(row.next()).isTrue();
        assertThat(row.getString(1)).isEqualTo("0 0");
      }
    }
  }
}

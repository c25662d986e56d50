package dev.onceward.ops.console.session;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.RefusedValues;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.process.Secret;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
class DatabaseLoginTest {

  @Test
  void a_refused_value_is_in_no_failure(PostgresServer server) throws SQLException {
    try (MigratedDatabase database = MigratedDatabase.create(server);
        Connection connection =
            new DatabaseLogin(database.url())
                .open("onceward_ops", new Secret(MigratedDatabase.PASSWORD))) {
      RefusedValues.assertUntold(connection);
    }
  }
}

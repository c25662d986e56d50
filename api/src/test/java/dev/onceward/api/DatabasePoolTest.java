package dev.onceward.api;

import com.zaxxer.hikari.HikariDataSource;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.RefusedValues;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
class DatabasePoolTest {

  @Test
  void a_refused_value_is_in_no_failure(PostgresServer server) throws SQLException {
    try (MigratedDatabase database = MigratedDatabase.create(server);
        HikariDataSource pool =
            DatabasePool.open(TestApi.config(database, Map.of()), new SimpleMeterRegistry());
        Connection connection = pool.getConnection()) {
      RefusedValues.assertUntold(connection);
    }
  }
}

package dev.onceward.worker;

import com.zaxxer.hikari.HikariDataSource;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.RefusedValues;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.process.Settings;
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
    try (MigratedDatabase database = MigratedDatabase.create(server)) {
      Map<String, String> settings = WorkerConfigTest.least();
      settings.put("onceward.database.url", database.url());
      settings.put("onceward.database.password", MigratedDatabase.PASSWORD);
      try (HikariDataSource pool =
              DatabasePool.open(
                  WorkerConfig.from(Settings.of(settings)), new SimpleMeterRegistry());
          Connection connection = pool.getConnection()) {
        RefusedValues.assertUntold(connection);
      }
    }
  }
}

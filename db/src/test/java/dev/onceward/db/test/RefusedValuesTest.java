package dev.onceward.db.test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
class RefusedValuesTest {

  @Test
  void a_connection_as_the_driver_makes_it_quotes_what_is_refused(PostgresServer server)
      throws SQLException {
    try (Connection connection = server.connect("postgres")) {
      assertThatThrownBy(() -> RefusedValues.assertUntold(connection))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("quotes the value")
          // It was seen at the first of the two.
          .cause()
          .isNotInstanceOf(BatchUpdateException.class);
    }
  }
}

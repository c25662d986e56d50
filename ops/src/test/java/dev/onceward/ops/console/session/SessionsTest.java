package dev.onceward.ops.console.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.process.Secret;
import java.sql.Connection;
import java.time.Duration;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
final class SessionsTest {
  private static final Secret PASSWORD = new Secret(MigratedDatabase.PASSWORD);

  @Test
  void a_session_that_nobody_used_or_that_is_too_old_is_over_and_its_connections_are_closed(
      PostgresServer server) throws Exception {
    try (MigratedDatabase database = MigratedDatabase.create(server)) {
      DatabaseLogin login = new DatabaseLogin(database.url());
      Duration hour = Duration.ofHours(1);
      try (Sessions lasting = new Sessions(login, hour, hour);
          Sessions idle = new Sessions(login, Duration.ZERO, hour);
          Sessions old = new Sessions(login, hour, Duration.ZERO)) {
        Sessions.SignIn signedIn = lasting.signIn("onceward_ops_read", PASSWORD);
        Session session = Objects.requireNonNull(lasting.find(signedIn.token()));
        assertThat(session.isOperator()).isFalse();
        try (Connection connection = session.connection()) {
          assertThat(connection.isValid(5)).isTrue();
        }
        lasting.signOut(signedIn.token());
        assertThat(lasting.find(signedIn.token())).isNull();

        for (Sessions over : new Sessions[] {idle, old}) {
          Sessions.SignIn made = over.signIn("onceward_ops", PASSWORD);
          assertThat(made.token()).isNotNull();
          assertThat(over.find(made.token())).isNull();
        }
      }
      Awaitility.await().until(() -> connections(database) == 0);
    }
  }

  private static int connections(MigratedDatabase database) throws Exception {
    try (Connection superuser = database.superuser();
        var statement = superuser.createStatement();
        var row =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'onceward-console'"
                    + " AND datname = current_database()")) {
      row.next();
      return row.getInt(1);
    }
  }
}

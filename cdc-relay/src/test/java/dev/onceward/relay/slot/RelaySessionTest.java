package dev.onceward.relay.slot;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.RefusedValues;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.process.Secret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
class RelaySessionTest {

  @Test
  void a_refused_value_is_in_no_failure(PostgresServer server) throws Exception {
    try (MigratedDatabase database = MigratedDatabase.create(server);
        RelaySession session =
            RelaySession.open(
                database.url(), "onceward_relay", new Secret(MigratedDatabase.PASSWORD))) {
      RefusedValues.assertUntold(session.connection());
    }
  }
}

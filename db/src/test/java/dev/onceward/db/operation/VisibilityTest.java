package dev.onceward.db.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.WorkspaceContext;
import dev.onceward.db.operation.ClaimResult.Claimed;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A commit is flushed to the log, and so streamed, a moment before other sessions see it: a worker
 * can hold the event before it sees the operation.
 */
@ExtendWith(InfrastructureExtension.class)
class VisibilityTest {

  @Test
  void an_operation_that_comes_into_sight_in_the_middle_of_a_claim_is_claimed(PostgresServer server)
      throws SQLException {
    try (MigratedDatabase database = MigratedDatabase.create(server)) {
      Tenant tenant = database.newTenant();
      NewTask task = NewTask.of("test_work", NewEvent.of("thing.made", "thing", "1", "{}"));
      try (Connection writer = database.connect("onceward_app");
          Connection worker = database.connect("onceward_app")) {
        writer.setAutoCommit(false);
        WorkspaceContext.set(writer, tenant.workspaceId());
        TaskWriter.append(writer, task);
        worker.setAutoCommit(false);
        WorkspaceContext.set(worker, tenant.workspaceId());

        ClaimResult result =
            OperationClaims.claim(
                committingBeforeSecondStatement(worker, writer),
                task.event().id(),
                "worker",
                Duration.ofSeconds(30));

        assertThat(result).isInstanceOf(Claimed.class);
      }
    }
  }

  /** The connection as it is, but the other one commits between its first and second statement. */
  private static Connection committingBeforeSecondStatement(Connection real, Connection other) {
    int[] prepared = {0};
    return (Connection)
        Proxy.newProxyInstance(
            VisibilityTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("prepareStatement") && ++prepared[0] == 2) {
                other.commit();
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}

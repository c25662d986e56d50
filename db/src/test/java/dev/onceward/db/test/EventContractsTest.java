package dev.onceward.db.test;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.outbox.OutboxWriter;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(InfrastructureExtension.class)
class EventContractsTest {
  private static final String RUN = "0193779f-0c04-7abc-8def-0123456789ab";

  @Test
  void events_as_described_pass(PostgresServer server) {
    assertThatCode(() -> writeAndClose(server, event("run.started", payload("listing_review"))))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "run.unheard_of | {}                                   | run.unheard_of.v1 has no schema",
        "run.started    | {\"run_id\":\"RUN\"}                 | 'flow'",
        "run.started    | {\"run_id\":\"7\",\"flow\":\"f\"}    | uuid",
        "run.started    | {\"run_id\":\"RUN\",\"flow\":\"f\",\"x\":1} | does not list x",
        "run.started    | []                                   | object"
      })
  void a_test_that_writes_anything_else_fails_at_its_end(
      String type, String payload, String message, PostgresServer server) {
    assertThatThrownBy(() -> writeAndClose(server, event(type, payload.replace("RUN", RUN))))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(message);
  }

  @Test
  void another_version_needs_a_schema_of_its_own(PostgresServer server) {
    NewEvent event = event("run.started", payload("listing_review")).withPayloadVersion(2);

    assertThatThrownBy(() -> writeAndClose(server, event))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("run.started.v2 has no schema");
  }

  @Test
  void what_is_wrong_on_purpose_passes_and_nothing_else(PostgresServer server) {
    NewEvent onPurpose = event("run.started", "{}");
    NewEvent other = event("run.ended", "{}");

    assertThatCode(() -> writeAndClose(server, onPurpose, onPurpose.id()))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> writeAndClose(server, other, onPurpose.id()))
        .hasMessageContaining("run.ended.v1");
  }

  private static NewEvent event(String type, String payload) {
    return NewEvent.of(type, "run", RUN, payload);
  }

  private static String payload(String flow) {
    return "{\"run_id\":\"%s\",\"flow\":\"%s\"}".formatted(RUN, flow);
  }

  private static void writeAndClose(PostgresServer server, NewEvent event, UUID... wrongOnPurpose)
      throws SQLException {
    try (MigratedDatabase database = MigratedDatabase.create(server)) {
      for (UUID id : wrongOnPurpose) {
        database.wrongOnPurpose(id);
      }
      database
          .app()
          .runInWorkspace(
              database.newTenant().workspaceId(),
              connection -> OutboxWriter.append(connection, event));
    }
  }
}

package dev.onceward.ops.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.test.Tenant;
import dev.onceward.ops.DeadLetterRows;
import dev.onceward.ops.SentEvents;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The overview, and what is shown when a server is away. */
@ExtendWith(ConsoleWorld.Shared.class)
final class OverviewPagesTest {
  private final SentEvents world;
  private final Tenant tenant;
  private final DeadLetterRows rows;
  private final RunningConsole console;

  OverviewPagesTest(ConsoleWorld shared) {
    world = shared.events();
    tenant = shared.tenant();
    rows = shared.rows();
    console = shared.console();
  }

  @Test
  void the_overview_shows_what_is_wrong_and_why() throws Exception {
    Visitor reader = Visitor.signedIn(console, Visitor.READER);
    reader.awaitContains("/live", "its replication slot does not exist");
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(reader.get("/samples").body())
                    .containsPattern("\"events_per_second\" : \\[ [0-9]"));
    assertThat(reader.get("/doctor").body()).contains("checks,");
  }

  @Test
  void without_database_the_console_says_so_and_is_not_ready() throws Exception {
    try (RunningConsole alone =
        RunningConsole.over(
            world, Map.of("onceward.database.url", "jdbc:postgresql://127.0.0.1:1/none"))) {
      Visitor visitor = new Visitor(alone.address());
      HttpResponse<String> answer = visitor.signIn(Visitor.OPERATOR, "test-password");
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body()).contains("The database does not answer");
      assertThat(visitor.get("/health/live").statusCode()).isEqualTo(200);
      assertThat(visitor.get("/health/ready").statusCode()).isEqualTo(503);
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> new Visitor(console.address()).get("/health/ready").statusCode() == 200);
  }

  @Test
  void without_kafka_the_rest_is_shown() throws Exception {
    rows.operation(tenant, "no-kafka", "failed", "NO_KAFKA_CASE", "a cause");
    try (RunningConsole alone =
        RunningConsole.over(world, Map.of("onceward.kafka.bootstrap.servers", "127.0.0.1:1"))) {
      Visitor reader = Visitor.signedIn(alone, Visitor.READER);
      assertThat(reader.get("/dead-letters?code=NO_KAFKA_CASE").body())
          .contains("NO_KAFKA_CASE", "Kafka does not answer");
      reader.awaitContains("/live", "Kafka does not answer");
    }
  }
}

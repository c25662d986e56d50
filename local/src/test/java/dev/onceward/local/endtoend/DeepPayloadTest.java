package dev.onceward.local.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.event.DeadLetterHeaders;
import dev.onceward.local.cluster.LocalCluster;
import dev.onceward.local.topic.SeenRecord;
import dev.onceward.local.topic.TopicWatch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** S49: whatever a backend may write, every later stage can read. */
@Tag("S49")
@ExtendWith(ClusterExtension.class)
final class DeepPayloadTest {

  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int DEPTH = 900;
  private static final String DEEP = "{\"a\":".repeat(DEPTH) + "1" + "}".repeat(DEPTH);

  @Test
  void a_payload_nested_900_deep_passes_the_relay_and_is_read_by_the_worker(LocalCluster cluster)
      throws Exception {
    try (TopicWatch topic = new TopicWatch(cluster.bootstrapServers(), cluster.topic("store"));
        TopicWatch deadLetters =
            new TopicWatch(cluster.bootstrapServers(), cluster.topic("store") + "-dead-letter")) {
      String eventId = append(cluster);

      SeenRecord published =
          await()
              .atMost(LIMIT)
              .until(() -> find(topic, eventId), Optional::isPresent)
              .orElseThrow();
      SeenRecord setAside =
          await()
              .atMost(LIMIT)
              .until(() -> find(deadLetters, eventId), Optional::isPresent)
              .orElseThrow();

      assertThat(published.value()).contains("\"payload\":" + DEEP);
      // Nobody handles the type; a worker that could not read the record would give another reason.
      assertThat(setAside.headers()).containsEntry(DeadLetterHeaders.REASON, "UNKNOWN_EVENT_TYPE");
      assertThat(setAside.value()).isEqualTo(published.value());
    }
  }

  private static Optional<SeenRecord> find(TopicWatch topic, String eventId) {
    return topic.soFar().stream().filter(each -> each.key().equals(eventId)).findAny();
  }

  private static String append(LocalCluster cluster) throws SQLException {
    String url = cluster.databaseUrl();
    String database = url.substring(url.lastIndexOf('/') + 1);
    int parameters = database.indexOf('?');
    try (Connection connection =
            cluster
                .postgres()
                .connect(parameters < 0 ? database : database.substring(0, parameters));
        Statement setting = connection.createStatement();
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT onceward.outbox_append('thing.deep_thought', 'store', 'deep', ?::json)")) {
      connection.setAutoCommit(false);
      setting.execute(
          "SELECT set_config('app.workspace_id', '" + cluster.access().workspaceId() + "', true)");
      statement.setString(1, DEEP);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        String eventId = row.getString(1);
        connection.commit();
        return eventId;
      }
    }
  }
}

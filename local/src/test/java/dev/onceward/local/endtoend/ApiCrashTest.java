package dev.onceward.local.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.local.client.ApiAnswer;
import dev.onceward.local.client.ApiClient;
import dev.onceward.local.cluster.LocalCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** S46: the API dies in the middle of a request. */
@Tag("S46")
@ExtendWith(ClusterExtension.class)
final class ApiCrashTest {

  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final String name = "killed-" + UUID.randomUUID();
  private LocalCluster cluster;
  private PipelineRows rows;

  @BeforeEach
  void connect(LocalCluster shared) {
    cluster = shared;
    rows = new PipelineRows(cluster, name);
  }

  @Test
  void a_request_whose_api_was_killed_before_its_commit_executes_once_when_it_is_sent_again()
      throws Exception {
    ApiClient client = new ApiClient(cluster.apiUrl(), cluster.access().accessKey(), LIMIT);
    try (Connection blocker = superuser();
        Statement statement = blocker.createStatement()) {
      blocker.setAutoCommit(false);
      statement.execute("LOCK TABLE onceward.idempotency_requests IN EXCLUSIVE MODE");
      CompletableFuture<ApiAnswer> first = client.createStoreLater(name, name);
      await().atMost(LIMIT).until(this::blocked);

      cluster.api().kill();

      await().atMost(LIMIT).until(first::isCompletedExceptionally);
      blocker.rollback();
    }
    assertThat(rows.operations()).isEmpty();
    cluster.api().start();
    cluster.api().awaitReady(LIMIT);

    ApiAnswer second = client.createStore(name, name);

    assertThat(second.status()).as("%s", second.text()).isEqualTo(202);
    assertThat(second.replayed()).isFalse();
    await().atMost(LIMIT).until(() -> rows.unfinished().isEmpty());
    assertThat(rows.operations()).hasSize(1);
    assertThat(rows.eventIds()).hasSize(1);
    assertThat(rows.idempotencyRequests()).isOne();
    new EffectAudit(cluster.platform().ledger()).eachHasOneEffect(rows.operations());
  }

  private Connection superuser() throws SQLException {
    String url = cluster.databaseUrl();
    String database = url.substring(url.lastIndexOf('/') + 1);
    int parameters = database.indexOf('?');
    return cluster
        .postgres()
        .connect(parameters < 0 ? database : database.substring(0, parameters));
  }

  /** On a connection of its own: within a transaction the view stays as it was read first. */
  private boolean blocked() throws SQLException {
    try (Connection connection = superuser();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                    + " AND usename = 'onceward_app' AND wait_event_type = 'Lock'"
                    + " AND application_name = 'onceward-api'")) {
      row.next();
      return row.getInt(1) > 0;
    }
  }
}

package dev.onceward.bench;

import dev.onceward.local.client.ApiClient;
import dev.onceward.local.cluster.ClusterOptions;
import dev.onceward.local.cluster.LocalCluster;
import dev.onceward.local.cluster.Progress;
import dev.onceward.local.report.ReportOptions;
import dev.onceward.process.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code onceward bench api}: the whole way of a store creation, under load. */
@Command(
    name = "api",
    mixinStandardHelpOptions = true,
    description = "Creates stores as fast as the API answers, and waits until all are done.")
final class ApiCommand implements Callable<Integer> {

  private static final List<String> JVM_FLAGS = List.of("-Xmx512m");
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);
  private static final Duration DRAIN_LIMIT = Duration.ofMinutes(5);
  private static final Duration DRAIN_INTERVAL = Duration.ofMillis(20);
  private static final int MAX_REQUESTS = 1_000_000;
  private static final int MAX_CONCURRENCY = 1_000;

  @Option(
      names = "--requests",
      paramLabel = "N",
      description = "Measured requests (${DEFAULT-VALUE}).")
  private int requests = 2_000;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description = "Requests before the measured ones (${DEFAULT-VALUE}).")
  private int warmUp = 1_000;

  @Option(names = "--concurrency", paramLabel = "N", description = "Clients (${DEFAULT-VALUE}).")
  private int concurrency = 8;

  @Mixin private ReportOptions report = new ReportOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException, SQLException, IOException {
    report.checkRange("--requests", requests, 1, MAX_REQUESTS);
    report.checkRange("--warm-up", warmUp, 0, MAX_REQUESTS);
    report.checkRange("--concurrency", concurrency, 1, MAX_CONCURRENCY);
    PrintWriter err = spec.commandLine().getErr();
    Progress progress =
        (what, took) -> {
          err.println("  " + what);
          err.flush();
        };
    ClusterOptions options = ClusterOptions.temporary().withJvmFlags(JVM_FLAGS);
    ApiReport measured;
    try (LocalCluster cluster = LocalCluster.start(options, progress);
        Connection connection = cluster.connectAsOps()) {
      ApiClient client =
          new ApiClient(cluster.apiUrl(), cluster.access().accessKey(), ANSWER_LIMIT);
      if (warmUp > 0) {
        new ApiLoad(client, "warm-").send(warmUp, concurrency);
        awaitSucceeded(connection, warmUp);
      }
      measured = measure(client, connection);
    }
    report.print(measured);
    return ExitCode.OK.number();
  }

  private ApiReport measure(ApiClient client, Connection connection)
      throws InterruptedException, SQLException {
    long began = System.nanoTime();
    Latencies latencies = new ApiLoad(client, "bench-").send(requests, concurrency);
    long answered = System.nanoTime();
    awaitSucceeded(connection, warmUp + requests);
    long done = System.nanoTime();
    return new ApiReport(
        requests,
        concurrency,
        Runtime.getRuntime().availableProcessors(),
        requests / ((answered - began) / 1e9),
        latencies.percentileMillis(0.50),
        latencies.percentileMillis(0.99),
        latencies.maxMillis(),
        requests / ((done - began) / 1e9),
        (done - answered) / 1e9);
  }

  private static void awaitSucceeded(Connection connection, int expected)
      throws SQLException, InterruptedException {
    long deadline = System.nanoTime() + DRAIN_LIMIT.toNanos();
    String sql = "SELECT count(*) FROM onceward.operations WHERE state = 'succeeded'";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      while (true) {
        try (ResultSet row = statement.executeQuery()) {
          row.next();
          if (row.getLong(1) == expected) {
            return;
          }
          if (System.nanoTime() > deadline) {
            throw new IllegalStateException(
                row.getLong(1)
                    + " of "
                    + expected
                    + " operations have succeeded after "
                    + DRAIN_LIMIT.toSeconds()
                    + " s");
          }
        }
        Thread.sleep(DRAIN_INTERVAL.toMillis());
      }
    }
  }
}

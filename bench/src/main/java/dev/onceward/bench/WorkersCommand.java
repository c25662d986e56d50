package dev.onceward.bench;

import dev.onceward.local.report.ReportOptions;
import dev.onceward.process.ExitCode;
import dev.onceward.process.HealthChecks;
import dev.onceward.process.Settings;
import dev.onceward.worker.Worker;
import dev.onceward.worker.WorkerConfig;
import dev.onceward.worker.handle.EventHandler;
import dev.onceward.worker.handle.HandledType;
import dev.onceward.worker.handle.HandlerResult;
import dev.onceward.worker.handle.TaskAttempt;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code onceward bench workers}: claims and finishes against the bare statements. */
@Command(
    name = "workers",
    mixinStandardHelpOptions = true,
    description =
        "Compares a worker whose handler does nothing with itself without batches, and with"
            + " pgbench.")
final class WorkersCommand implements Callable<Integer> {

  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Duration GRACE = Duration.ofSeconds(15);
  private static final Duration LOOK = Duration.ofMillis(200);
  private static final int CREDENTIAL_KEY_BYTES = 32;

  /** Every round runs all variants; the medians are reported. */
  @Option(names = "--rounds", paramLabel = "N", description = "Rounds (${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--tasks",
      paramLabel = "N",
      description = "Tasks of each variant in each round (${DEFAULT-VALUE}).")
  private int tasks = 10_000;

  @Option(
      names = "--concurrency",
      paramLabel = "N",
      description = "Tasks at a time, and clients of pgbench (${DEFAULT-VALUE}).")
  private int concurrency = 64;

  @Mixin private ReportOptions report = new ReportOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Succeeds at once. */
  private static final class EmptyHandler implements EventHandler {
    @Override
    public Collection<HandledType> handledTypes() {
      return List.of(
          new HandledType(TaskWorld.EVENT_TYPE, 1, TaskWorld.AGGREGATE_TYPE, TaskWorld.KIND));
    }

    @Override
    public HandlerResult handle(TaskAttempt attempt) {
      return HandlerResult.of(null);
    }
  }

  @Override
  public Integer call() throws Exception {
    report.checkRange("--rounds", rounds, 1, 99);
    report.checkRange("--concurrency", concurrency, 1, 1_000);
    report.checkRange("--tasks", tasks, concurrency, 1_000_000);
    PrintWriter err = spec.commandLine().getErr();
    double[] batched = new double[rounds];
    double[] alone = new double[rounds];
    double[] bare = new double[rounds];
    try (TaskWorld world = new TaskWorld()) {
      double unused = worker(world, "warm-up.", 100); // the JVM's and the database's
      for (int round = 0; round < rounds; round++) {
        batched[round] = worker(world, "batched" + round + ".", 100);
        alone[round] = worker(world, "alone" + round + ".", 1);
        String prefix = world.write(tasks);
        world.vacuum();
        bare[round] = world.claimAndFinish(prefix, tasks, concurrency);
        err.printf(
            "  round %d: %.0f, %.0f, %.0f%n", round + 1, batched[round], alone[round], bare[round]);
        err.flush();
      }
    }
    report.print(
        new WorkersReport(
            tasks,
            concurrency,
            Runtime.getRuntime().availableProcessors(),
            median(batched),
            median(alone),
            median(bare)));
    return ExitCode.OK.number();
  }

  private double worker(TaskWorld world, String topicPrefix, int batch)
      throws SQLException, InterruptedException, ExecutionException, IOException {
    String prefix = world.write(tasks);
    world.send(topicPrefix, prefix, tasks);
    world.vacuum();
    Map<String, String> settings =
        Map.ofEntries(
            Map.entry("onceward.database.url", world.url()),
            Map.entry("onceward.database.user", world.role()),
            Map.entry("onceward.database.password", world.password()),
            Map.entry("onceward.kafka.bootstrap.servers", world.bootstrapServers()),
            Map.entry("onceward.topic-prefix", topicPrefix),
            Map.entry(
                "onceward.credential-keys",
                "bench:" + Base64.getEncoder().encodeToString(new byte[CREDENTIAL_KEY_BYTES])),
            Map.entry("onceward.worker.platform-url", "http://127.0.0.1:9"),
            Map.entry("onceward.worker.health-host", "127.0.0.1"),
            Map.entry("onceward.worker.health-port", "0"),
            Map.entry("onceward.worker.group-id", topicPrefix + "workers"),
            Map.entry("onceward.worker.concurrency", Integer.toString(concurrency)),
            Map.entry("onceward.worker.batch-tasks", Integer.toString(batch)));
    Worker worker =
        new Worker(
            WorkerConfig.from(Settings.of(settings)),
            List.of(new EmptyHandler()),
            new HealthChecks());
    try {
      worker.start(() -> false);
      long deadline = System.nanoTime() + LIMIT.toNanos();
      while (world.succeeded(prefix) < tasks) {
        if (System.nanoTime() - deadline > 0) {
          throw new IllegalStateException("the tasks were not done within " + LIMIT);
        }
        Thread.sleep(LOOK.toMillis());
      }
    } finally {
      worker.stop(GRACE);
    }
    return world.perSecond(prefix);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}

package dev.onceward.local;

import dev.onceward.local.cluster.ClusterOptions;
import dev.onceward.local.cluster.LocalCluster;
import dev.onceward.local.report.ReportOptions;
import dev.onceward.local.torture.Torture;
import dev.onceward.local.torture.TortureOptions;
import dev.onceward.local.torture.TortureReport;
import dev.onceward.ops.SpanArgument;
import dev.onceward.process.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onceward torture}. */
@Command(
    name = "torture",
    mixinStandardHelpOptions = true,
    description = {
      "Kills, freezes and restarts every part of a pipeline of its own while it is written to, drops"
          + " its replication slot and disturbs its networks to the database, and checks at the end"
          + " what was promised.",
      "",
      "Progress is on standard error, the result on standard output. A run that found something"
          + " leaves the logs behind and says where."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:every guarantee held",
      "1:one did not; the table says which, and the seed repeats the attack",
      "2:wrong command line",
      "4:something could not be started"
    },
    footer = {
      "",
      "Examples:",
      "  onceward torture",
      "  onceward torture --duration 1h --results ./results",
      "  onceward torture --duration 90s --seed 42 --output json"
    })
final class TortureCommand implements Callable<Integer> {

  private static final Duration SHORTEST = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofHours(24);
  private static final long SEEDS = 1_000_000;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Repeats an attack: what is written, and which faults come in which order.")
  private @Nullable Long seed;

  @Option(
      names = "--duration",
      paramLabel = "SPAN",
      converter = SpanArgument.class,
      defaultValue = "3m",
      description = "How long faults are injected (default: ${DEFAULT-VALUE}).")
  private Duration duration = Duration.ofMinutes(3);

  @Mixin private ReportOptions report = new ReportOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException, IOException, SQLException {
    if (duration.compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
      throw new ParameterException(
          spec.commandLine(), "--duration is " + duration.toSeconds() + "s; give 5s to 24h");
    }
    long chosen = seed != null ? seed : ThreadLocalRandom.current().nextLong(SEEDS);
    PrintWriter err = spec.commandLine().getErr();
    err.println("Seed " + chosen + ". Starting the whole pipeline on this machine:");
    err.flush();
    try (LocalCluster cluster = LocalCluster.start(options(), new StepPrinter(err))) {
      boolean passed = false;
      try {
        TortureReport result = Torture.run(cluster, TortureOptions.of(chosen, duration), err);
        report.print(result);
        passed = result.passed();
      } finally {
        if (!passed) {
          cluster.keepFiles();
          err.println("onceward: logs are kept in " + cluster.directory());
          err.flush();
        }
      }
      return passed ? ExitCode.OK.number() : ExitCode.FAILURE.number();
    }
  }

  private static ClusterOptions options() {
    // Short, so that a task of a killed worker is taken up soon.
    return ClusterOptions.temporary()
        .withNetworks()
        .withSetting("onceward.worker.lease", "6s")
        .withSetting("onceward.worker.lease-renewal", "2s");
  }
}

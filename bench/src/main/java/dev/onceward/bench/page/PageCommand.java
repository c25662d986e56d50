package dev.onceward.bench.page;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.process.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onceward bench page}. */
@Command(
    name = "page",
    mixinStandardHelpOptions = true,
    description = {
      "Makes docs/benchmarks.md and its charts from the reports of a folder.",
      "Measurements leave their reports there with --results."
    })
public final class PageCommand implements Callable<Integer> {
  @Option(
      names = "--results",
      paramLabel = "FOLDER",
      description = "Where the reports are (${DEFAULT-VALUE}).")
  private Path results = Path.of("bench", "results");

  @Option(
      names = "--to",
      paramLabel = "FILE",
      description = "The page; its charts go to a folder of the same name (${DEFAULT-VALUE}).")
  private Path page = Path.of("docs", "benchmarks.md");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    if (!Files.isDirectory(results)) {
      throw new ParameterException(
          spec.commandLine(),
          "--results: there is no folder " + results + "; measure with --results first");
    }
    System.setProperty("java.awt.headless", "true");
    Results all = new Results(results);
    Path charts = page.resolveSibling("benchmarks");
    Files.createDirectories(charts);
    Optional<JsonNode> relay = all.report("relay");
    if (relay.isPresent()) {
      Charts.relay(relay.get(), charts.resolve("relay.png"));
    }
    Optional<JsonNode> latency = all.report("latency");
    if (latency.isPresent()) {
      Charts.latency(latency.get(), charts.resolve("latency.png"));
    }
    Files.writeString(page, BenchmarkPage.of(all));
    spec.commandLine().getErr().println("  wrote " + page);
    return ExitCode.OK.number();
  }
}

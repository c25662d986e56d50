package dev.onceward.bench;

import dev.onceward.process.ExitCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code onceward bench all}. */
@Command(
    name = "all",
    mixinStandardHelpOptions = true,
    description = {
      "Measures everything that docs/benchmarks.md tells, one after the other, and makes the page.",
      "Takes an hour or more; nothing else should run meanwhile. Needs Java 25."
    })
final class AllCommand implements Callable<Integer> {
  /** Its best: large batches. Smaller ones only make it slower. */
  private static final String POLLING = "polling-1000";

  @Option(
      names = "--debezium-server",
      paramLabel = "FOLDER",
      description = "The unpacked distribution of Debezium Server; without it, it takes no part.")
  private List<Path> debeziumServer = List.of();

  @Option(
      names = "--debezium-java",
      paramLabel = "FILE",
      description = "The java that runs it, 21 or later (that which runs this tool).")
  private List<Path> debeziumJava = List.of();

  @Option(
      names = "--results",
      paramLabel = "FOLDER",
      description = "Where the reports are left (${DEFAULT-VALUE}).")
  private Path results = Path.of("bench", "results");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    List<String> reports = List.of("--results", "" + results);
    List<String> peers = new ArrayList<>(reports);
    debeziumServer.forEach(folder -> peers.addAll(List.of("--debezium-server", "" + folder)));
    debeziumJava.forEach(file -> peers.addAll(List.of("--debezium-java", "" + file)));
    String stock = debeziumServer.isEmpty() ? "" : "debezium-server,debezium-server-tuned,";
    // As docs/deployment.md advises.
    Path cache = results.resolve("relay.aot").toAbsolutePath();
    peers.addAll(List.of("--jvm-flags", "-Xmx512m,-XX:AOTCache=" + cache));
    String ours = "limit,relay,relay-direct,";
    List<String> backlog =
        List.of(
            "relay",
            "--events=800000",
            "--rounds=5",
            "--profile",
            "--contenders=producer," + ours + "unaudited,unaudited-direct," + stock + POLLING);
    List<String> live = List.of("latency", "--rounds=5", "--contenders=" + ours + stock + POLLING);
    List<List<String>> measurements =
        List.of(
            List.of("train", "--to", "" + cache),
            joined(backlog, peers),
            joined(live, peers),
            joined(List.of("growth", "--contenders=relay,relay-direct"), peers),
            joined(List.of("workers"), reports),
            joined(List.of("writes"), reports),
            joined(List.of("api"), reports),
            joined(List.of("page"), reports));
    for (List<String> measurement : measurements) {
      spec.commandLine().getErr().println("bench " + measurement.get(0));
      int code = spec.parent().commandLine().execute(measurement.toArray(String[]::new));
      if (code != ExitCode.OK.number()) {
        return code;
      }
    }
    return ExitCode.OK.number();
  }

  private static List<String> joined(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }
}

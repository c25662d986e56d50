package dev.onceward.bench;

import dev.onceward.process.ExitCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
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
    List<String> peers = new ArrayList<>();
    debeziumServer.forEach(folder -> peers.addAll(List.of("--debezium-server", "" + folder)));
    debeziumJava.forEach(file -> peers.addAll(List.of("--debezium-java", "" + file)));
    // As our images are delivered.
    Path cache = results.resolve("relay.aot").toAbsolutePath();
    peers.addAll(List.of("--jvm-flags", "-Xmx512m,-XX:AOTCache=" + cache));
    List<List<String>> measurements =
        List.of(
            List.of("train", "--to", cache.toString()),
            with(peers, "relay", "--events", "800000", "--rounds", "5", "--profile"),
            with(peers, "latency", "--rounds", "5"),
            List.of("workers"),
            List.of("writes"),
            List.of("api"),
            List.of("page"));
    for (List<String> measurement : measurements) {
      spec.commandLine().getErr().println("bench " + measurement.get(0));
      int code =
          spec.parent()
              .commandLine()
              .execute(
                  with(List.of("--results", "" + results), measurement).toArray(String[]::new));
      if (code != ExitCode.OK.number()) {
        return code;
      }
    }
    return ExitCode.OK.number();
  }

  private static List<String> with(List<String> more, String... first) {
    return with(more, List.of(first));
  }

  private static List<String> with(List<String> more, List<String> first) {
    List<String> all = new ArrayList<>(first);
    all.addAll(more);
    return all;
  }
}

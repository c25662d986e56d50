package dev.onceward.bench.relay;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Who takes part, and with what JVM. */
final class ContenderOptions {
  @Option(
      names = "--contenders",
      paramLabel = "NAME",
      split = ",",
      description =
          "Only these, in this order: producer (relay only), limit, relay, relay-direct, unaudited, unaudited-direct,"
              + " polling-100, polling-1000, debezium-server, debezium-server-tuned (all that can"
              + " take part).")
  private List<String> names = List.of();

  @Option(
      names = "--jvm-flags",
      paramLabel = "FLAG",
      split = ",",
      description = {
        "Of every contender that is ours; the tuned Debezium Server gets those among them that limit",
        "the heap, the stock one none (${DEFAULT-VALUE})."
      })
  private List<String> jvmFlags = List.of("-Xmx512m");

  @Option(
      names = "--debezium-server",
      paramLabel = "FOLDER",
      description = {
        "The unpacked distribution of Debezium Server (Maven: io.debezium:debezium-server-dist,",
        "tar.gz); without it, it takes no part."
      })
  private @Nullable Path debeziumServer;

  @Option(
      names = "--debezium-java",
      paramLabel = "FILE",
      description = "The java that runs it, 21 or later (that which runs this tool).")
  private Path debeziumJava = Path.of(System.getProperty("java.home"), "bin", "java");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  List<String> jvmFlags() {
    return jvmFlags;
  }

  /**
   * In the order of their turns.
   *
   * @param more some that only this measurement knows
   * @throws ParameterException naming the contender that is not known, or the folder that holds no
   *     distribution
   */
  List<Contender> contenders(Contender... more) {
    Map<String, Contender> known = new LinkedHashMap<>();
    Stream.concat(Stream.of(more), known().stream())
        .forEach(contender -> known.put(contender.name(), contender));
    if (names.isEmpty()) {
      return List.copyOf(known.values());
    }
    List<Contender> chosen = new ArrayList<>();
    for (String name : names) {
      Contender contender = known.get(name);
      if (contender == null) {
        throw new ParameterException(
            spec.commandLine(),
            "--contenders names \"" + name + "\"; there are " + String.join(", ", known.keySet()));
      }
      chosen.add(contender);
    }
    return chosen;
  }

  private List<String> heap() {
    return jvmFlags.stream().filter(flag -> flag.startsWith("-Xm")).toList();
  }

  private List<Contender> known() {
    Map<String, String> direct = Map.of("onceward.relay.capture", "direct");
    List<Contender> known = new ArrayList<>();
    known.add(new LimitContender(jvmFlags));
    known.add(RelayContender.audited("relay", Map.of(), jvmFlags));
    known.add(RelayContender.audited("relay-direct", direct, jvmFlags));
    known.add(RelayContender.unaudited("unaudited", Map.of(), jvmFlags));
    known.add(RelayContender.unaudited("unaudited-direct", direct, jvmFlags));
    Path home = debeziumServer;
    if (home != null) {
      if (!DebeziumServerContender.isHome(home)) {
        throw new ParameterException(
            spec.commandLine(),
            "--debezium-server: " + home + " holds no debezium-server-dist-…-runner.jar");
      }
      known.add(
          new DebeziumServerContender("debezium-server", home, debeziumJava, false, List.of()));
      known.add(
          new DebeziumServerContender("debezium-server-tuned", home, debeziumJava, true, heap()));
    }
    known.add(new PollingContender(100, jvmFlags));
    known.add(new PollingContender(1000, jvmFlags));
    return known;
  }
}

package dev.onceward.bench.relay;

import dev.onceward.bench.BenchServers;
import dev.onceward.bench.ReportOptions;
import dev.onceward.embedded.KafkaOptions;
import dev.onceward.process.ExitCode;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onceward bench relay}. */
@Command(
    name = "relay",
    mixinStandardHelpOptions = true,
    description = {
      "Compares our relay with the limit of the machine and with what else brings an outbox to"
          + " Kafka.",
      "Debezium Server takes part where its unpacked distribution is given (Maven:"
          + " io.debezium:debezium-server-dist, tar.gz)."
    })
public final class RelayCommand implements Callable<Integer> {
  /** The broker must not be what is measured. */
  private static final List<String> BROKER_FLAGS = List.of("-Xmx1g");

  @Option(
      names = "--events",
      paramLabel = "N",
      description = "Events of the backlog (${DEFAULT-VALUE}).")
  private int events = 100_000;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Rounds in which all take turns (${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--contenders",
      paramLabel = "NAME",
      split = ",",
      description =
          "Only these, in this order: limit, relay, relay-direct, polling-100, polling-1000, debezium-server,"
              + " debezium-server-tuned (all that can take part).")
  private List<String> names = List.of();

  @Option(
      names = "--jvm-flags",
      paramLabel = "FLAG",
      split = ",",
      description = "Of every contender (${DEFAULT-VALUE}).")
  private List<String> jvmFlags = List.of("-Xmx512m");

  @Option(
      names = "--debezium-server",
      paramLabel = "FOLDER",
      description = "The unpacked distribution of Debezium Server.")
  private @Nullable Path debeziumServer;

  @Option(
      names = "--debezium-java",
      paramLabel = "FILE",
      description = "The java that runs it, 21 or later (that which runs this tool).")
  private Path debeziumJava = Path.of(System.getProperty("java.home"), "bin", "java");

  @Option(
      names = "--profile",
      description = {
        "Afterwards our relays run once more, untimed, with the JVM's flight recorder, and the report",
        "tells in which of their parts the CPU was."
      })
  private boolean profile;

  @Mixin private ReportOptions report = new ReportOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws Exception {
    report.checkRange("--events", events, 1_000, 10_000_000);
    report.checkRange("--rounds", rounds, 1, 99);
    List<Contender> contenders = contenders();
    PrintWriter err = spec.commandLine().getErr();
    Map<String, List<Measured>> measured = new LinkedHashMap<>();
    List<Profile> profiles = new ArrayList<>();
    contenders.forEach(contender -> measured.put(contender.name(), new ArrayList<>()));
    KafkaOptions broker = KafkaOptions.temporary().withJvmArguments(BROKER_FLAGS);
    try (BenchServers servers = new BenchServers(broker);
        Admin admin = Admin.create(Map.of("bootstrap.servers", servers.bootstrapServers()))) {
      tell(err, "  writing " + events + " events");
      try (Backlog backlog = Backlog.write(servers, events)) {
        Heat heat = new Heat(servers, admin, events);
        for (int round = 1; round <= rounds; round++) {
          for (Contender contender : contenders) {
            Measured one = run(heat, contender, servers, backlog, "_" + round);
            measured.computeIfAbsent(contender.name(), name -> new ArrayList<>()).add(one);
            tell(
                err,
                "  round %d, %s: %,.0f events/s, steady %,.0f, CPU %.1f s"
                    .formatted(
                        round,
                        contender.name(),
                        one.eventsPerSecond(),
                        one.steadyPerSecond(),
                        one.cpuSeconds()));
          }
        }
        for (Contender contender : contenders) {
          if (profile && contender instanceof RelayContender relay) {
            profiles.add(profile(heat, relay, servers, backlog));
          }
        }
      }
    }
    report.print(RelayReport.of(events, rounds, jvmFlags, measured, profiles));
    return ExitCode.OK.number();
  }

  private static Profile profile(
      Heat heat, RelayContender relay, BenchServers servers, Backlog backlog) throws Exception {
    Path recording = Files.createTempFile("onceward-bench-", ".jfr");
    try {
      run(heat, relay.withJvmFlag(Profile.flag(recording)), servers, backlog, "_profile");
      return Profile.of(relay.name(), recording);
    } finally {
      Files.delete(recording);
    }
  }

  private static Measured run(
      Heat heat, Contender contender, BenchServers servers, Backlog backlog, String suffix)
      throws Exception {
    String name = contender.name().replace('-', '_') + suffix;
    Path directory = Files.createTempDirectory("onceward-bench-");
    try {
      backlog.makeSlot(name);
      Measured measured = heat.run(contender, new Lane(servers, name, name + ".", directory));
      backlog.awaitUnused(name);
      backlog.dropSlot(name);
      backlog.settle();
      return measured;
    } finally {
      try (var files = Files.list(directory)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(directory);
    }
  }

  private List<Contender> contenders() {
    Map<String, Contender> known = new LinkedHashMap<>();
    for (Contender contender : known()) {
      known.put(contender.name(), contender);
    }
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

  private List<Contender> known() {
    List<Contender> known = new ArrayList<>();
    known.add(new LimitContender(jvmFlags));
    known.add(new RelayContender("relay", Map.of(), jvmFlags));
    known.add(
        new RelayContender("relay-direct", Map.of("onceward.relay.capture", "direct"), jvmFlags));
    Path home = debeziumServer;
    if (home != null) {
      if (!DebeziumServerContender.isHome(home)) {
        throw new ParameterException(
            spec.commandLine(),
            "--debezium-server: " + home + " holds no debezium-server-dist-…-runner.jar");
      }
      known.add(
          new DebeziumServerContender("debezium-server", home, debeziumJava, false, jvmFlags));
      known.add(
          new DebeziumServerContender("debezium-server-tuned", home, debeziumJava, true, jvmFlags));
    }
    known.add(new PollingContender(100, jvmFlags));
    known.add(new PollingContender(1000, jvmFlags));
    return known;
  }

  private static void tell(PrintWriter err, String line) {
    err.println(line);
    err.flush();
  }
}

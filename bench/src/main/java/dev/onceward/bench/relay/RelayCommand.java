package dev.onceward.bench.relay;

import dev.onceward.bench.BenchServers;
import dev.onceward.embedded.KafkaOptions;
import dev.onceward.local.report.ReportOptions;
import dev.onceward.process.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
  static final List<String> BROKER_FLAGS = List.of("-Xmx1g");

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
      names = "--profile",
      description = {
        "Afterwards our relays run once more, untimed, with the JVM's flight recorder, and the report",
        "tells in which of their parts the CPU was."
      })
  private boolean profile;

  @Mixin private ContenderOptions taking = new ContenderOptions();

  @Mixin private ReportOptions report = new ReportOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws Exception {
    report.checkRange("--events", events, 1_000, 10_000_000);
    report.checkRange("--rounds", rounds, 1, 99);
    List<Contender> contenders =
        taking.contenders(new ProducerContender(events, taking.jvmFlags()));
    PrintWriter err = spec.commandLine().getErr();
    Map<String, List<Measured>> measured = new LinkedHashMap<>();
    List<Profile> profiles = new ArrayList<>();
    contenders.forEach(contender -> measured.put(contender.name(), new ArrayList<>()));
    KafkaOptions broker = KafkaOptions.temporary().withJvmArguments(BROKER_FLAGS);
    try (BenchServers servers = new BenchServers(broker);
        Admin admin = Admin.create(Map.of("bootstrap.servers", servers.bootstrapServers()))) {
      Slots slots = new Slots(servers);
      tell(err, "  writing " + events + " events");
      Backlog.write(servers, slots, Shape.usual("", events));
      Heat heat = new Heat(servers, admin, slots, events);
      for (int round = 1; round <= rounds; round++) {
        for (Contender contender : contenders) {
          Measured one = heat.run(contender, Integer.toString(round));
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
          try {
            profiles.add(profile(heat, relay));
          } catch (IOException failure) {
            // What was measured is worth more than the recording.
            tell(err, "  no profile of " + relay.name() + ": " + failure.getMessage());
          }
        }
      }
    }
    report.print(RelayReport.of(events, rounds, taking.jvmFlags(), measured, profiles));
    return ExitCode.OK.number();
  }

  private static Profile profile(Heat heat, RelayContender relay) throws Exception {
    Path recording = Files.createTempFile("onceward-bench-", ".jfr");
    try {
      heat.run(
          relay.withJvmFlag(Profile.FLAG),
          "profile",
          process -> Profile.dump(process.pid(), recording));
      return Profile.of(relay.name(), recording);
    } finally {
      Files.delete(recording);
    }
  }

  private static void tell(PrintWriter err, String line) {
    err.println(line);
    err.flush();
  }
}

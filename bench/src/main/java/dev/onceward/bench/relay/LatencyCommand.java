package dev.onceward.bench.relay;

import dev.onceward.bench.BenchServers;
import dev.onceward.embedded.KafkaOptions;
import dev.onceward.local.report.ReportOptions;
import dev.onceward.process.ExitCode;
import java.io.PrintWriter;
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

/** {@code onceward bench latency}. */
@Command(
    name = "latency",
    mixinStandardHelpOptions = true,
    description =
        "Measures how long a committed row takes to a consumer of Kafka, for our relay and the"
            + " others, and what each costs while nothing happens.")
public final class LatencyCommand implements Callable<Integer> {

  @Option(
      names = "--rates",
      paramLabel = "N",
      split = ",",
      description = "Transactions of one row per second, one after the other (${DEFAULT-VALUE}).")
  private List<Integer> rates = List.of(500, 1_000);

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long each rate lasts (${DEFAULT-VALUE}).")
  private int seconds = 10;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Rounds in which all take turns (${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Mixin private ContenderOptions taking = new ContenderOptions();

  @Mixin private ReportOptions report = new ReportOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws Exception {
    for (int rate : rates) {
      report.checkRange("--rates", rate, 1, 10_000);
    }
    report.checkRange("--seconds", seconds, 1, 3_600);
    report.checkRange("--rounds", rounds, 1, 99);
    List<Contender> contenders = taking.contenders();
    PrintWriter err = spec.commandLine().getErr();
    Map<String, List<LiveHeat.Result>> results = new LinkedHashMap<>();
    try (BenchServers servers = new BenchServers(KafkaOptions.temporary());
        Admin admin = Admin.create(Map.of("bootstrap.servers", servers.bootstrapServers()))) {
      Slots slots = new Slots(servers);
      for (int round = 1; round <= rounds; round++) {
        for (Contender contender : contenders) {
          LiveHeat.Result result = run(contender, servers, admin, slots, round);
          results.computeIfAbsent(contender.name(), name -> new ArrayList<>()).add(result);
          result
              .rates()
              .forEach(
                  (rate, one) -> {
                    err.printf(
                        "  %s at %d/s: p50 %.1f, p99 %.1f ms%n",
                        contender.name(), rate, one.p50Millis(), one.p99Millis());
                    err.flush();
                  });
        }
      }
    }
    report.print(LatencyReport.of(rates, seconds, rounds, taking.jvmFlags(), results));
    return ExitCode.OK.number();
  }

  private LiveHeat.Result run(
      Contender contender, BenchServers servers, Admin admin, Slots slots, int round)
      throws Exception {
    String name = contender.name().replace('-', '_') + "_" + round;
    try (Lane lane = Lane.open(servers, admin, name)) {
      // Else the audit of a relay that is new here would bring the rows of those before it.
      slots.forgetRows();
      slots.make(name);
      LiveHeat.Result result = LiveHeat.run(contender, lane, rates, seconds);
      slots.dropUnused(name);
      slots.settle();
      return result;
    }
  }
}

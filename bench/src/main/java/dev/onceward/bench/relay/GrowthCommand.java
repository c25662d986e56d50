package dev.onceward.bench.relay;

import dev.onceward.bench.BenchServers;
import dev.onceward.embedded.KafkaOptions;
import dev.onceward.local.report.ReportOptions;
import dev.onceward.process.ExitCode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code onceward bench growth}. */
@Command(
    name = "growth",
    mixinStandardHelpOptions = true,
    description = {
      "How a relay's rate, CPU and memory change with the rows of a transaction, the workspaces, the",
      "payloads and the backlog: one grows, the others stay. A run for each contender and backlog."
    })
public final class GrowthCommand implements Callable<Integer> {

  @Option(
      names = "--events",
      paramLabel = "N",
      description = "Of the usual backlog; large payloads come in fewer (${DEFAULT-VALUE}).")
  private int events = 200_000;

  @Option(
      names = "--backlogs",
      paramLabel = "N",
      split = ",",
      description = "Backlogs that are larger than the usual one (${DEFAULT-VALUE}).")
  private List<Integer> backlogs = List.of(1_000_000, 10_000_000);

  @Mixin private ContenderOptions taking = new ContenderOptions();

  @Mixin private ReportOptions report = new ReportOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws Exception {
    report.checkRange("--events", events, 1_000, 10_000_000);
    for (int backlog : backlogs) {
      report.checkRange("--backlogs", backlog, 1_000, 10_000_000);
    }
    List<Contender> contenders = taking.contenders();
    PrintWriter err = spec.commandLine().getErr();
    List<GrowthReport.Line> lines = new ArrayList<>();
    KafkaOptions broker = KafkaOptions.temporary().withJvmArguments(RelayCommand.BROKER_FLAGS);
    try (BenchServers servers = new BenchServers(broker);
        Admin admin = Admin.create(Map.of("bootstrap.servers", servers.bootstrapServers()))) {
      Slots slots = new Slots(servers);
      int turn = 0;
      for (Shape shape : Shape.growing(events, backlogs)) {
        // Else an audit would bring the rows of the backlog before.
        slots.forgetRows();
        Backlog.write(servers, slots, shape);
        Heat heat = new Heat(servers, admin, slots, shape.events());
        for (Contender contender : contenders) {
          GrowthReport.Line line =
              GrowthReport.line(
                  shape, contender.name(), heat.run(contender, Integer.toString(turn)));
          lines.add(line);
          err.println("  " + line.text());
          err.flush();
        }
        slots.dropUnused(Backlog.SLOT);
        turn++;
      }
    }
    report.print(GrowthReport.of(taking.jvmFlags(), lines));
    return ExitCode.OK.number();
  }
}

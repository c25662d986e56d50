package dev.onceward.ops.offsets;

import dev.onceward.db.relay.RelayStateStore;
import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.kafka.RelayRouting;
import dev.onceward.process.ExitCode;
import dev.onceward.process.Settings;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code onceward offsets show}. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description =
        "Shows slot, watermark and audit, what each partition of our topics holds, and how far each"
            + " group that reads them has come.",
    footer = {
      "",
      "Examples:",
      "  onceward offsets show",
      "  onceward offsets show --group onceward-workers --output json"
    })
final class OffsetsShowCommand implements Callable<Integer> {

  @Mixin private OpsOptions options = new OpsOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--group",
      paramLabel = "G",
      description =
          "Only this group, whatever it reads; may be given several times (default: all that have"
              + " read our topics).")
  private List<String> wanted = new ArrayList<>();

  @Override
  public Integer call() throws SQLException {
    Settings settings = options.settings();
    RelayRouting routing = RelayRouting.from(settings);
    PipelinePositions positions;
    Set<String> own;
    try (Connection connection = options.connect(settings, OpsOptions.READING_ROLE)) {
      positions = PipelinePositions.read(connection, routing.relay());
      own =
          new TreeSet<>(new RelayStateStore(routing.relay()).pinnedPartitions(connection).keySet());
    }
    own.addAll(routing.topicNames().routes().values());
    OffsetsReport report;
    Admin admin = routing.kafka().admin();
    try {
      report = new OffsetsReader(admin, routing.topicNames().prefix(), wanted).read(positions, own);
    } finally {
      admin.close(Duration.ZERO);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(report));
      out.flush();
    } else {
      report.print(out);
    }
    return ExitCode.OK.number();
  }
}

package dev.onceward.ops.doctor;

import dev.onceward.ops.BuildVersion;
import dev.onceward.ops.DatabaseFailures;
import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.kafka.KafkaAccess;
import dev.onceward.process.ConfigurationException;
import dev.onceward.process.ExitCode;
import dev.onceward.process.Settings;
import dev.onceward.process.StartupException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code onceward doctor}. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description =
        "Looks at everything that makes such a system fail without a word, and says for each what"
            + " to do. Changes nothing.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:nothing failed; there may be warnings",
      "1:a check failed, or could not be made because the database or Kafka is away",
      "2:wrong command line",
      "3:wrong settings"
    },
    footer = {
      "",
      "Examples:",
      "  onceward doctor",
      "  onceward doctor --output json | jq '.checks[] | select(.state != \"ok\")'"
    })
public final class DoctorCommand implements Callable<Integer> {

  @Mixin private OpsOptions options = new OpsOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws SQLException {
    Settings settings = options.settings();
    DoctorSettings wanted = DoctorSettings.from(settings);
    Clock clock = Clock.systemUTC();
    DatabaseExamination database = new DatabaseExamination(wanted, clock);
    List<Finding> findings;
    PartitionPins pins;
    try (Connection connection = options.connect(settings, OpsOptions.READING_ROLE)) {
      connection.setReadOnly(true);
      findings = new ArrayList<>(database.with(connection));
      pins = PartitionPins.of(connection, wanted.slotName());
    } catch (SQLException failure) {
      StartupException away = DatabaseFailures.classify(failure);
      if (away == null) {
        throw failure;
      }
      findings = new ArrayList<>(database.without(away));
      pins = PartitionPins.unknown(away);
    }
    findings.addAll(kafka(settings, wanted, pins));
    Report report = Report.of(clock.instant(), BuildVersion.text(), findings);
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(report));
    } else {
      report.print(out);
    }
    out.flush();
    return (report.failed() == 0 ? ExitCode.OK : ExitCode.FAILURE).number();
  }

  private static List<Finding> kafka(Settings settings, DoctorSettings wanted, PartitionPins pins) {
    KafkaAccess access;
    try {
      access = KafkaAccess.from(settings);
    } catch (ConfigurationException wrong) {
      ConfigurationException.Problem first = wrong.problems().get(0);
      return KafkaExamination.without(
          Answer.failed("not checked: " + first.key() + " " + first.message(), first.remedy()));
    }
    return KafkaExamination.with(access, wanted, pins);
  }
}

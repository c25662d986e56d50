package dev.onceward.ops.doctor;

import dev.onceward.ops.OpsOptions;
import dev.onceward.process.ExitCode;
import dev.onceward.process.Settings;
import java.io.PrintWriter;
import java.sql.SQLException;
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
    Report report =
        Examination.of(settings, () -> options.connect(settings, OpsOptions.READING_ROLE));
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(report));
    } else {
      report.print(out);
    }
    out.flush();
    return (report.failed() == 0 ? ExitCode.OK : ExitCode.FAILURE).number();
  }
}

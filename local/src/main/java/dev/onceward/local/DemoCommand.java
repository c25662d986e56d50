package dev.onceward.local;

import dev.onceward.local.cluster.ClusterOptions;
import dev.onceward.local.cluster.LocalCluster;
import dev.onceward.local.demo.Demo;
import dev.onceward.local.demo.DemoFailedException;
import dev.onceward.process.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code onceward demo}. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = "Sends one request twice through the whole pipeline and shows what happened.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:one operation, one record, one effect",
      "1:it came out differently; the reason is on standard error",
      "2:wrong command line",
      "4:something could not be started"
    })
final class DemoCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call()
      throws InterruptedException, DemoFailedException, IOException, SQLException {
    PrintWriter out = spec.commandLine().getOut();
    out.println("Starting the whole pipeline on this machine:");
    out.flush();
    try (LocalCluster cluster =
        LocalCluster.start(ClusterOptions.temporary(), new StepPrinter(out))) {
      boolean passed = false;
      try {
        new Demo(cluster, out).run();
        passed = true;
      } finally {
        if (!passed) {
          cluster.keepFiles();
          spec.commandLine().getErr().println("onceward: logs are kept in " + cluster.directory());
        }
      }
      out.println();
      out.println("Two identical requests, one operation, one record, one effect. Stopping.");
      out.flush();
    }
    return ExitCode.OK.number();
  }
}

package dev.onceward.local;

import dev.onceward.local.client.ApiClient;
import dev.onceward.local.cluster.ClusterOptions;
import dev.onceward.local.cluster.ClusterPorts;
import dev.onceward.local.cluster.LocalCluster;
import dev.onceward.process.ExitCode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onceward up}. */
@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    description = "Starts the whole pipeline on this machine and stays until Ctrl-C.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:stopped by Ctrl-C or SIGTERM",
      "2:wrong command line",
      "4:something could not be started, or has ended by itself"
    })
final class UpCommand implements Callable<Integer> {

  private static final String PORT_TEXT = " (default: the last one of --data, or a free one).";

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Keep everything here: data, ports, passwords, keys (default: temporary).")
  private @Nullable Path data;

  @Option(names = "--port", paramLabel = "N", description = "Of the API" + PORT_TEXT)
  private int apiPort;

  @Option(names = "--postgres-port", paramLabel = "N", description = "Of PostgreSQL" + PORT_TEXT)
  private int postgresPort;

  @Option(names = "--kafka-port", paramLabel = "N", description = "Of Kafka" + PORT_TEXT)
  private int kafkaPort;

  @Option(names = "--relay-port", paramLabel = "N", description = "Of its health" + PORT_TEXT)
  private int relayPort;

  @Option(names = "--worker-port", paramLabel = "N", description = "Of their health" + PORT_TEXT)
  private int workerPort;

  @Option(
      names = "--platform-port",
      paramLabel = "N",
      description = "Of the platform simulator" + PORT_TEXT)
  private int platformPort;

  @Option(
      names = "--console-port",
      paramLabel = "N",
      description = "Of the web console" + PORT_TEXT)
  private int consolePort;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    ClusterOptions options = ClusterOptions.temporary().withPorts(ports()).withConsole();
    if (data != null) {
      options = options.keptIn(data);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println("Starting the whole pipeline on this machine:");
    out.flush();
    try (LocalCluster cluster = LocalCluster.start(options, new StepPrinter(out))) {
      introduce(cluster, out);
      cluster.watch();
    } catch (InterruptedException asked) {
      // Ctrl-C or SIGTERM: how this command ends. The cluster is closed by now.
      out.println("Stopped.");
      out.flush();
    }
    return ExitCode.OK.number();
  }

  private ClusterPorts ports() {
    return new ClusterPorts(
        port("--postgres-port", postgresPort),
        port("--kafka-port", kafkaPort),
        port("--port", apiPort),
        port("--relay-port", relayPort),
        port("--worker-port", workerPort),
        port("--platform-port", platformPort),
        port("--console-port", consolePort));
  }

  private int port(String option, int value) {
    if (value < 0 || value > 65_535) {
      throw new ParameterException(
          spec.commandLine(),
          option + " is " + value + "; give a port from 1 to 65535, or 0 for a free one");
    }
    return value;
  }

  private static void introduce(LocalCluster cluster, PrintWriter out) {
    String key = cluster.access().accessKey().reveal();
    String body = ApiClient.storeBody("shop-42").replace("'", "'\\''");
    out.println();
    out.println("API          " + cluster.apiUrl());
    out.println("access key   " + key);
    out.println("console      " + cluster.consoleUrl());
    out.println("  sign in as onceward_ops, password " + cluster.operatorPassword());
    out.println("relay        " + cluster.relay().health());
    out.println("workers      " + cluster.workers().health());
    out.println("platform     " + cluster.platform().url() + "/v1/simulator/counts");
    out.println("PostgreSQL   " + cluster.databaseUrl());
    out.println("Kafka        " + cluster.bootstrapServers());
    out.println("files        " + cluster.directory());
    out.println();
    out.println("Send a request (again and again: it is done once):");
    out.println();
    out.println("  curl -i " + cluster.apiUrl() + "/v1/stores \\");
    out.println("    -H 'Authorization: Bearer " + key + "' \\");
    out.println("    -H 'Idempotency-Key: first' -H 'Content-Type: application/json' \\");
    out.println("    -d '" + body + "'");
    out.println();
    out.println("Look at the pipeline:");
    out.println();
    out.println("  ./onceward status --config " + cluster.opsConfig());
    out.println();
    out.println("Ctrl-C stops it" + (cluster.isTemporary() ? " and deletes its data." : "."));
    out.flush();
  }
}

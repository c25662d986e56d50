package dev.onceward.bench.relay;

import dev.onceward.bench.BenchServers;
import dev.onceward.embedded.ChildCommand;
import dev.onceward.embedded.KafkaOptions;
import dev.onceward.process.ExitCode;
import dev.onceward.relay.RelayMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onceward bench train}. */
@Command(
    name = "train",
    mixinStandardHelpOptions = true,
    description = {
      "Lets a relay bring a backlog to Kafka and leaves what the JVM has learned meanwhile: its AOT"
          + " cache (JEP 514, 515).",
      "A relay with that cache begins at nearly its full speed. Needs Java 25; the cache is good for"
          + " that Java and that class path only."
    })
public final class TrainCommand implements Callable<Integer> {
  private static final int LEAST_JAVA = 25;

  @Option(
      names = "--to",
      paramLabel = "FILE",
      required = true,
      description = "The cache, for -XX:AOTCache=FILE.")
  private Path cache = Path.of("");

  @Option(
      names = "--java-arguments",
      paramLabel = "FILE",
      description = {
        "The relay's java command as an argument file: flags, class path and main class (as this",
        "tool's own relays are started)."
      })
  private @Nullable Path javaArguments;

  @Option(
      names = "--events",
      paramLabel = "N",
      description = "Events of the backlog (${DEFAULT-VALUE}).")
  private int events = 200_000;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, SQLException, InterruptedException, ExecutionException {
    if (Runtime.version().feature() < LEAST_JAVA) {
      throw new ParameterException(
          spec.commandLine(),
          "This is Java " + Runtime.version().feature() + "; set JAVA_HOME to a Java 25 or newer");
    }
    Path target = cache.toAbsolutePath();
    Files.createDirectories(target.getParent());
    List<String> java = new ArrayList<>();
    java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    java.add("-XX:AOTCacheOutput=" + target);
    if (javaArguments == null) {
      java.addAll(List.of("-cp", System.getProperty("java.class.path"), RelayMain.class.getName()));
    } else {
      java.add("@" + javaArguments.toAbsolutePath());
    }
    KafkaOptions broker = KafkaOptions.temporary().withJvmArguments(RelayCommand.BROKER_FLAGS);
    try (BenchServers servers = new BenchServers(broker);
        Admin admin = Admin.create(Map.of("bootstrap.servers", servers.bootstrapServers()))) {
      Slots slots = new Slots(servers);
      Backlog.write(servers, slots, Shape.usual("", events));
      new Heat(servers, admin, slots, events).run(new Trained(java), "training");
    }
    if (!Files.exists(cache)) {
      throw new IllegalStateException("The relay has run and ended but left no " + cache);
    }
    spec.commandLine().getErr().println("  wrote " + cache);
    return ExitCode.OK.number();
  }

  /** A relay with a java command of its own. */
  private record Trained(List<String> java) implements Contender {
    private static final RelayContender RELAY =
        RelayContender.audited("relay", Map.of(), List.of());

    @Override
    public String name() {
      return RELAY.name();
    }

    @Override
    public ChildCommand command(Lane lane) {
      return RELAY.configured(ChildCommand.program(name(), java), lane);
    }

    @Override
    public boolean settled(Lane lane) throws SQLException {
      return RELAY.settled(lane);
    }
  }
}

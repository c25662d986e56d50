package dev.onceward.local.platform;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the platform simulator as a process of its own, until it gets SIGTERM or SIGINT. */
@Command(
    name = "platform-simulator",
    mixinStandardHelpOptions = true,
    description = "A shop platform that counts calls and effects.")
public final class PlatformSimulatorMain implements Callable<Integer> {

  @Option(names = "--host", description = "Address to listen on (${DEFAULT-VALUE}).")
  private String host = "0.0.0.0";

  @Option(names = "--port", description = "Port; 0 takes a free one (${DEFAULT-VALUE}).")
  private int port = 8090;

  @Option(names = "--without-key-support", description = "Each call is an effect.")
  private boolean withoutKeySupport;

  @Option(
      names = "--latency-ms",
      description = "Work before the effect, in milliseconds (${DEFAULT-VALUE}).")
  private long latencyMillis;

  @Option(
      names = "--lost-answers",
      description = "Share of calls, 0 to 1, that have their effect but no answer.")
  private double lostAnswers;

  @Option(
      names = "--failures",
      description = "Share of calls, 0 to 1, that are refused without an effect.")
  private double failures;

  @Option(names = "--failure-status", description = "Status of a refused call (${DEFAULT-VALUE}).")
  private int failureStatus = 503;

  @Option(names = "--seed", description = "Seed of the draw.")
  private long seed = 1;

  @Spec private @Nullable CommandSpec spec;

  /** Starts the simulator with the given options. */
  public static void main(String... arguments) {
    System.exit(new CommandLine(new PlatformSimulatorMain()).execute(arguments));
  }

  @Override
  public Integer call() throws InterruptedException {
    PlatformSimulator simulator;
    try {
      simulator = PlatformSimulator.start(new InetSocketAddress(host, port), behaviour(), seed);
    } catch (IOException | IllegalArgumentException refused) {
      throw usage("Cannot start on " + host + ":" + port + ": " + refused.getMessage());
    }
    Runtime.getRuntime().addShutdownHook(new Thread(simulator::close, "platform-stop"));
    System.out.println("platform simulator on port " + simulator.port());
    new CountDownLatch(1).await();
    return CommandLine.ExitCode.OK;
  }

  private PlatformBehaviour behaviour() {
    return new PlatformBehaviour(
        !withoutKeySupport, Duration.ofMillis(latencyMillis), lostAnswers, failures, failureStatus);
  }

  private ParameterException usage(String message) {
    CommandSpec known = spec;
    return new ParameterException(
        known == null ? new CommandLine(this) : known.commandLine(), message);
  }
}

package dev.onceward.process;

import ch.qos.logback.classic.LoggerContext;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one process from its command line to its exit code. Used once, by the main thread.
 *
 * <pre>{@code
 * public static void main(String[] arguments) {
 *   new ProcessRunner("onceward-api", "Accepts requests and writes them to the database.")
 *       .classify(ApiFailures::classify)
 *       .runAndExit(arguments, ApiConfig::from, (config, shutdown) -> {
 *         try (ApiServer server = ApiServer.start(config, shutdown)) {
 *           shutdown.await();
 *         }
 *       });
 * }
 * }</pre>
 */
public final class ProcessRunner {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessRunner.class);

  /** How long after the grace time the JVM still waits for the body. */
  private static final Duration OVERTIME = Duration.ofSeconds(2);

  /**
   * What the process does: start, wait for {@link Shutdown#await}, stop, return. Returning earlier
   * ends the process with {@link ExitCode#OK}; throwing ends it with a message.
   */
  @FunctionalInterface
  public interface Body<C> {
    void run(C configuration, Shutdown shutdown) throws Exception;
  }

  private final String name;
  private final String description;
  private PrintStream out = utf8(FileDescriptor.out);
  private PrintStream err = utf8(FileDescriptor.err);
  private FailureClassifier classifier = failure -> null;

  /**
   * @param name of the process, as in messages and log lines
   * @param description one sentence for {@code --help}
   */
  public ProcessRunner(String name, String description) {
    this.name = name;
    this.description = description;
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.putProperty("process", name);
    }
  }

  /** Adds the process's knowledge of how it can fail. */
  public ProcessRunner classify(FailureClassifier knownFailures) {
    this.classifier = knownFailures;
    return this;
  }

  /** Prints to these instead of the process's own streams. */
  ProcessRunner printingTo(PrintStream output, PrintStream errors) {
    this.out = output;
    this.err = errors;
    return this;
  }

  /** Runs and ends the JVM with the exit code; SIGTERM and SIGINT request the shutdown. */
  public <C> void runAndExit(
      String[] arguments, Function<Settings, C> configuration, Body<C> body) {
    CompletableFuture<ExitCode> ended = new CompletableFuture<>();
    ExitCode code =
        run(
            arguments,
            configuration,
            (config, shutdown) -> {
              Runtime.getRuntime()
                  .addShutdownHook(new Thread(() -> stop(shutdown, ended), "process-shutdown"));
              body.run(config, shutdown);
            });
    ended.complete(code);
    System.exit(code.number());
  }

  /** Runs and returns the exit code; the JVM lives on and signals are not listened to. */
  public <C> ExitCode run(String[] arguments, Function<Settings, C> configuration, Body<C> body) {
    try {
      CommandLine commandLine = CommandLine.parse(arguments);
      if (commandLine.version()) {
        out.println(name + " " + Version.current());
        return ExitCode.OK;
      }
      if (commandLine.help()) {
        out.print(new HelpText(name, description).render(configuration));
        return ExitCode.OK;
      }
      Settings settings = Settings.load(configFile(commandLine));
      Shutdown shutdown = new Shutdown(CommonSettings.shutdownGrace(settings));
      CommonSettings.checkLogging(settings);
      C config = configuration.apply(settings);
      settings.verify();
      LOG.info("{} {} starts", name, Version.current());
      body.run(config, shutdown);
      LOG.info("{} stopped", name);
      return ExitCode.OK;
    } catch (ConfigurationException failure) {
      return report(failure);
    } catch (Throwable failure) {
      // The outermost guard of the process: whatever came up to here ends it.
      return report(failure);
    }
  }

  private static @Nullable Path configFile(CommandLine commandLine) {
    String named = System.getenv("ONCEWARD_CONFIG");
    return commandLine.configFile() != null || named == null || named.isEmpty()
        ? commandLine.configFile()
        : Path.of(named);
  }

  private ExitCode report(ConfigurationException failure) {
    for (ConfigurationException.Problem problem : failure.problems()) {
      err.println(name + ": configuration: " + problem);
      LOG.error("configuration: {}", problem);
    }
    return ExitCode.CONFIGURATION;
  }

  private ExitCode report(Throwable failure) {
    StartupException known =
        failure instanceof StartupException startup ? startup : classifier.classify(failure);
    if (known != null) {
      err.println(name + ": " + known.getMessage() + ". " + known.remedy() + ".");
      LOG.error("{}. {}.", known.getMessage(), known.remedy());
      return known.exitCode();
    }
    err.println(name + ": failed with " + failure + ". The stack trace is in the log.");
    LOG.error("{} failed", name, failure);
    return ExitCode.FAILURE;
  }

  /** Runs in the shutdown hook. */
  private void stop(Shutdown shutdown, CompletableFuture<ExitCode> ended) {
    if (ended.isDone()) {
      return; // the body ended by itself and asked for this exit
    }
    shutdown.request();
    Duration patience = shutdown.grace().plus(OVERTIME);
    try {
      ExitCode code = ended.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      // A JVM ended by a signal would exit with 128 + its number although all went well.
      Runtime.getRuntime().halt(code.number());
    } catch (InterruptedException | ExecutionException | TimeoutException late) {
      // Reported below; the JVM ends as soon as this hook returns.
    }
    err.println(name + ": did not stop within " + DurationText.format(patience) + ". Ending it.");
    LOG.error("did not stop within {}; ending without the body", DurationText.format(patience));
  }

  private static PrintStream utf8(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }
}

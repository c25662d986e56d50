package dev.onceward.local.cluster;

import dev.onceward.embedded.ChildCommand;
import dev.onceward.embedded.ChildProcess;
import dev.onceward.process.StartupException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One of our processes (api, relay, workers, console), to be started, killed and started again with
 * the same settings. Thread-safe.
 */
public final class Service {

  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration PROBE_INTERVAL = Duration.ofMillis(50);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
  private static final int TAIL_LINES = 12;

  private final String name;
  private final ChildCommand command;
  private final URI health;
  private final Path log;
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PROBE_TIMEOUT).build();
  private @Nullable ChildProcess child;

  Service(String name, String mainClass, List<String> jvmFlags, Path config, Path log, int port) {
    this.name = name;
    this.log = log;
    this.health = URI.create("http://127.0.0.1:" + port + "/health/ready");
    this.command = command(name, mainClass, jvmFlags, config).withOutput(log);
  }

  /** What it is called in messages: api, relay, workers or console. */
  public String name() {
    return name;
  }

  /** Where it answers whether it is ready. */
  public URI health() {
    return health;
  }

  /** The file that its output is appended to. */
  public Path log() {
    return log;
  }

  /** Starts the process and returns at once. No effect when it runs. */
  public synchronized void start() {
    if (!isRunning()) {
      child = command.start();
    }
  }

  /** Whether the process runs; that does not mean that it is ready. */
  public synchronized boolean isRunning() {
    return child != null && child.isAlive();
  }

  /** SIGKILL; returns when it is gone. No effect when it does not run. */
  public synchronized void kill() {
    if (child != null) {
      child.kill();
    }
  }

  /** SIGTERM, and SIGKILL when it has not ended within 30 s. Returns whether it ended by itself. */
  public synchronized boolean stop() {
    if (child == null) {
      return true;
    }
    boolean inTime = child.stop(STOP_LIMIT);
    if (!inTime) {
      child.kill();
    }
    return inTime;
  }

  /** The running process, for signals that this class does not know; null when there is none. */
  public synchronized @Nullable ChildProcess process() {
    return child;
  }

  /** One question: does it say that it is ready? */
  public boolean isReady() throws InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(health).timeout(PROBE_TIMEOUT).build();
    try {
      return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException away) {
      return false;
    }
  }

  /**
   * Waits until it is ready.
   *
   * @throws StartupException when it ends or is not ready within the limit, with the end of its log
   */
  public void awaitReady(Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!isReady()) {
      if (!isRunning()) {
        throw failed("ended before it was ready");
      }
      if (System.nanoTime() - deadline > 0) {
        throw failed("is not ready after " + limit.toSeconds() + " s");
      }
      Thread.sleep(PROBE_INTERVAL.toMillis());
    }
  }

  /** The failure of this service as a message with the end of its log. */
  StartupException failed(String what) {
    ChildProcess process = process();
    StringBuilder message = new StringBuilder(name).append(' ').append(what);
    if (process != null && process.exitCode().isPresent()) {
      message.append(" (exit code ").append(process.exitCode().getAsInt()).append(')');
    }
    if (process != null) {
      message.append("; its last lines:");
      process.outputTail(TAIL_LINES).forEach(line -> message.append("\n  ").append(line));
      message.append('\n');
    }
    return StartupException.unavailable(message.toString(), "See " + log, null);
  }

  private static ChildCommand command(
      String name, String mainClass, List<String> jvmFlags, Path config) {
    List<String> flags = new ArrayList<>(jvmFlags);
    ChildCommand command =
        ChildCommand.java(name, mainClass, flags, List.of("--config", config.toString()));
    // The environment wins over the file: what is set there for another installation must not
    // reach this one. An empty value counts as not set. How logs look is the user's to say.
    for (Map.Entry<String, String> variable : System.getenv().entrySet()) {
      String key = variable.getKey();
      if (key.startsWith("ONCEWARD_") && !key.startsWith("ONCEWARD_LOG_")) {
        command = command.withEnvironment(key, "");
      }
    }
    return command;
  }
}

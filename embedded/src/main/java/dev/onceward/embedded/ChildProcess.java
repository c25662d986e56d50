package dev.onceward.embedded;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process that this JVM started: real, with its own pid, to be stopped, killed or suspended. It
 * does not outlive the JVM. Thread-safe.
 */
public final class ChildProcess implements AutoCloseable {
  private static final Duration CLOSE_GRACE = Duration.ofSeconds(30);
  private static final Duration END_NOTICED = Duration.ofSeconds(2);
  private static final Duration KILL_LIMIT = Duration.ofSeconds(10);
  private static final int TAIL_BYTES = 16_384;

  private final ChildCommand command;
  private final Process process;
  private final long outputStart;

  private ChildProcess(ChildCommand command, Process process, long outputStart) {
    this.command = command;
    this.process = process;
    this.outputStart = outputStart;
  }

  static ChildProcess start(ChildCommand command) {
    Path output = command.output();
    ProcessBuilder builder =
        new ProcessBuilder(OwnSession.command(command.command()))
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true);
    builder.environment().putAll(command.environment());
    try {
      long outputStart = 0;
      if (output == null) {
        builder.redirectOutput(Redirect.DISCARD);
      } else {
        Path parent = output.toAbsolutePath().getParent();
        if (parent != null) {
          Files.createDirectories(parent);
        }
        outputStart = Files.exists(output) ? Files.size(output) : 0;
        builder.redirectOutput(Redirect.appendTo(output.toFile()));
      }
      Process process = builder.start();
      watch(process, command);
      ChildProcess child = new ChildProcess(command, process, outputStart);
      var unused = process.onExit().thenAccept(ended -> OrphanWatch.forget(ended.pid()));
      return child;
    } catch (IOException e) {
      throw new InfrastructureException(
          "Cannot start %s (%s%s). Check that the program exists and that the file can be written."
              .formatted(
                  command.name(),
                  command.command().get(0),
                  output == null ? "" : ", output to " + output),
          e);
    }
  }

  private static void watch(Process process, ChildCommand command) throws IOException {
    try {
      OrphanWatch.watch(process.pid(), command.stopSignal());
    } catch (UncheckedIOException e) {
      process.destroyForcibly(); // it could outlive us
      throw e.getCause();
    }
  }

  /** What messages call the process. */
  public String name() {
    return command.name();
  }

  /** The operating system's id of the process. */
  public long pid() {
    return process.pid();
  }

  /** Whether it runs (a suspended process does). */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** The exit code (128 + signal if a signal ended it); empty while it runs. */
  public OptionalInt exitCode() {
    return process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
  }

  /** The file that the output is appended to; null if it is discarded. */
  public @Nullable Path output() {
    return command.output();
  }

  /**
   * Sends a signal; does nothing if the process has ended.
   *
   * @throws InfrastructureException if the signal could not be sent to a living process
   */
  public void send(Signal signal) {
    try {
      // The shell's own kill: slim images lack the program.
      Process kill =
          new ProcessBuilder("sh", "-c", "kill -" + signal + " " + pid())
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.DISCARD)
              .start();
      // Java learns a moment later than the shell that a process is gone.
      if (kill.waitFor() != 0 && !awaitExit(END_NOTICED)) {
        throw new InfrastructureException(
            "Signal %s could not be sent to %s (pid %d).".formatted(signal, name(), pid()));
      }
    } catch (IOException e) {
      throw new InfrastructureException("The shell (sh) cannot be run to send a signal.", e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** SIGSTOP: the process keeps its sockets and does nothing. */
  public void suspend() {
    send(Signal.STOP);
  }

  /** SIGCONT: goes on after {@link #suspend()}. */
  public void resume() {
    send(Signal.CONT);
  }

  /**
   * SIGKILL; returns once the process is gone. Does nothing if it has ended.
   *
   * @throws InfrastructureException if it is still there after 10 s
   */
  public void kill() {
    process.destroyForcibly();
    if (!awaitExit(KILL_LIMIT)) {
      throw new InfrastructureException(
          "%s (pid %d) is still there %d s after SIGKILL."
              .formatted(name(), pid(), KILL_LIMIT.toSeconds()));
    }
  }

  /**
   * Asks the process to end with its stop signal and waits.
   *
   * @return whether it ended in time; if not it still runs
   */
  public boolean stop(Duration limit) {
    if (isAlive()) {
      send(command.stopSignal());
    }
    return awaitExit(limit);
  }

  /** Waits for the end; returns whether it came in time. An interrupt throws and keeps the flag. */
  public boolean awaitExit(Duration limit) {
    try {
      return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** The last lines that this process has written, at most 16 KiB; empty if output is discarded. */
  public List<String> outputTail(int lines) {
    Path output = command.output();
    if (output == null) {
      return List.of();
    }
    try (RandomAccessFile file = new RandomAccessFile(output.toFile(), "r")) {
      long from = Math.max(outputStart, file.length() - TAIL_BYTES);
      byte[] bytes = new byte[(int) Math.max(0, file.length() - from)];
      file.seek(from);
      file.readFully(bytes);
      List<String> all = new String(bytes, StandardCharsets.UTF_8).lines().toList();
      return all.subList(Math.max(0, all.size() - lines), all.size());
    } catch (IOException e) {
      return List.of("(the output " + output + " cannot be read: " + e.getMessage() + ")");
    }
  }

  /** Resumes and stops the process, and kills it if it has not ended after 30 s. */
  @Override
  public void close() {
    if (!isAlive()) {
      return;
    }
    send(command.stopSignal());
    resume(); // a suspended process acts on the signal only now
    if (!awaitExit(CLOSE_GRACE)) {
      kill();
    }
  }

  @Override
  public String toString() {
    return name() + " (pid " + pid() + ")";
  }

  private InfrastructureException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new InfrastructureException("Interrupted while waiting for " + this, e);
  }
}

package dev.onceward.local.torture;

import dev.onceward.embedded.InfrastructureException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Starts what has ended by itself, as a supervisor of processes would, until it is closed.
 * Thread-safe.
 */
final class Supervisor implements AutoCloseable {

  private static final Duration PACE = Duration.ofMillis(300);

  private final List<Part> parts;
  private final PrintWriter progress;
  private final Set<Part> broken = new HashSet<>();
  private final Map<String, Long> endings = new TreeMap<>();
  private final Thread thread = new Thread(this::watch, "torture-supervisor");
  private volatile boolean closed;

  /**
   * Begins to watch.
   *
   * @param progress is told of what has ended by itself
   */
  Supervisor(List<Part> parts, PrintWriter progress) {
    this.parts = List.copyOf(parts);
    this.progress = progress;
    thread.setDaemon(true);
    thread.start();
  }

  /** Breaks a part and leaves it broken; false if it is broken already or cannot be broken. */
  synchronized boolean strike(Part part, FaultKind kind) {
    if (broken.contains(part) || part.killedWithIt().stream().anyMatch(broken::contains)) {
      return false;
    }
    broken.add(part);
    broken.addAll(part.killedWithIt());
    for (Part killed : part.killedWithIt()) {
      boolean unused = killed.strike(FaultKind.KILL);
    }
    if (!part.strike(kind)) {
      repair(part);
      return false;
    }
    return true;
  }

  /** Makes a part and those killed with it whole, and minds them again. */
  synchronized void repair(Part part) {
    start(part);
    part.killedWithIt().forEach(this::start);
    broken.remove(part);
    broken.removeAll(part.killedWithIt());
  }

  /** How often parts have ended by themselves or could not be started, by name. */
  synchronized Map<String, Long> endings() {
    return Map.copyOf(endings);
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.join();
  }

  private void watch() {
    try {
      while (!closed) {
        runOnce();
        Thread.sleep(PACE.toMillis());
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void runOnce() {
    for (Part part : parts) {
      if (!broken.contains(part) && !part.isRunning()) {
        count(part, "has ended by itself");
        start(part);
      }
    }
  }

  private void start(Part part) {
    try {
      part.repair();
    } catch (InfrastructureException | IllegalStateException failure) {
      count(part, "could not be started: " + failure.getMessage());
    }
  }

  private void count(Part part, String what) {
    endings.merge(part.name(), 1L, Long::sum);
    progress.println("          " + part.name() + " " + what);
    progress.flush();
  }
}

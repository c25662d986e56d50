package dev.onceward.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The processes below another, as they were at one moment. Immutable. */
record ProcessTree(List<ProcessHandle> processes) {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  static ProcessTree below(long pid) {
    return new ProcessTree(
        ProcessHandle.of(pid).map(parent -> parent.descendants().toList()).orElse(List.of()));
  }

  /** Sends a signal to each that is still there. */
  void send(Signal signal) {
    if (processes.isEmpty()) {
      return;
    }
    List<String> kill = new ArrayList<>(List.of("sh", "-c", "kill -" + signal + " \"$@\"", "kill"));
    processes.forEach(process -> kill.add(Long.toString(process.pid())));
    ProgramResult unused = ProgramResult.run(kill); // fails if one has ended meanwhile
  }

  /** SIGKILL to each; returns when none runs any more. */
  void kill() {
    processes.forEach(ProcessHandle::destroyForcibly);
    Instant deadline = Instant.now().plus(LIMIT);
    try {
      while (processes.stream().anyMatch(ProcessTree::runs)) {
        if (Instant.now().isAfter(deadline)) {
          throw new InfrastructureException(
              "Processes are still there %d s after SIGKILL: %s"
                  .formatted(
                      LIMIT.toSeconds(), processes.stream().filter(ProcessTree::runs).toList()));
        }
        Thread.sleep(5);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InfrastructureException("Interrupted while processes were being killed.", e);
    }
  }

  /** A zombie does not run; where nobody adopts orphans (a container), it stays one. */
  private static boolean runs(ProcessHandle process) {
    if (!process.isAlive()) {
      return false;
    }
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
    } catch (IOException noProcFileSystemOrGone) {
      return process.isAlive();
    }
  }
}

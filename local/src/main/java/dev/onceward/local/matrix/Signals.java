package dev.onceward.local.matrix;

import java.io.IOException;

/** Freezes processes that are not children of ours: PostgreSQL's. Stateless. */
final class Signals {

  private Signals() {}

  /** SIGSTOP. Returns whether it was sent. */
  static boolean stop(long pid) throws IOException, InterruptedException {
    return send("STOP", pid);
  }

  /** SIGCONT; does nothing when the process is gone. */
  static void resume(long pid) throws InterruptedException {
    try {
      boolean unused = send("CONT", pid);
    } catch (IOException noShell) {
      throw new IllegalStateException("process " + pid + " is frozen and stays so", noShell);
    }
  }

  private static boolean send(String signal, long pid) throws IOException, InterruptedException {
    return new ProcessBuilder("sh", "-c", "kill -" + signal + " " + pid)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }
}

package dev.onceward.local;

import dev.onceward.local.cluster.Progress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** Prints one line per step with its time. Confined to one thread. */
final class StepPrinter implements Progress {

  private final PrintWriter out;

  StepPrinter(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void done(String what, Duration took) {
    out.println(String.format(Locale.ROOT, "  %-28s %5.1f s", what, took.toMillis() / 1000.0));
    out.flush();
  }
}

package dev.onceward.ops.show;

import dev.onceward.ops.change.Terminal;
import java.io.PrintWriter;
import java.io.Writer;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * How far long work has come, on standard error: done, of how many, rate and remaining time. Where
 * nobody looks, it shows nothing. Thread-safe; close it at the end of the work.
 */
public final class Progress implements AutoCloseable {

  private static final int WIDTH = 100;
  private static final int UPDATE_MILLIS = 250;

  private final PrintWriter err;
  private final @Nullable ProgressBar bar;

  private Progress(PrintWriter err, @Nullable ProgressBar bar) {
    this.err = err;
    this.bar = bar;
  }

  /** Work that nobody watches here. */
  public static Progress unseen() {
    return new Progress(new PrintWriter(Writer.nullWriter()), null);
  }

  /** Begins to show work to whoever sits at the terminal of this process. */
  public static Progress of(PrintWriter err, String task, String unit, long total) {
    return of(Terminal.ofProcess(), err, task, unit, total);
  }

  /**
   * Begins to show work.
   *
   * @param err where to
   * @param task what is done, a word or two
   * @param unit what is counted, such as {@code events}
   * @param total how many there are; when that is only an estimate, it may be passed
   */
  public static Progress of(
      Terminal terminal, PrintWriter err, String task, String unit, long total) {
    if (!terminal.isInteractive()) {
      return new Progress(err, null);
    }
    return new Progress(
        err,
        new ProgressBarBuilder()
            .setTaskName(task)
            .setUnit(" " + unit, 1)
            .setInitialMax(total)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(UPDATE_MILLIS)
            .showSpeed()
            .setConsumer(
                new DelegatingProgressBarConsumer(
                    line -> {
                      err.print("\r" + line);
                      err.flush();
                    },
                    WIDTH))
            .build());
  }

  /** So many more are done. */
  public void advance(long more) {
    if (bar != null) {
      bar.stepBy(more);
    }
  }

  /** So many are done in all. */
  public void reach(long done) {
    if (bar != null) {
      bar.stepTo(done);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      err.println();
      err.flush();
    }
  }
}

package dev.onceward.ops.replay;

import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.change.ChangeOptions;
import dev.onceward.ops.kafka.RelayRouting;
import dev.onceward.ops.show.Progress;
import dev.onceward.process.ExitCode;
import dev.onceward.process.Settings;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.UUID;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** A replay at the command line. Confined to the command's thread. */
final class ReplaySession implements AutoCloseable {
  private final OpsOptions options;
  private final CommandSpec spec;
  private final ReplayDesk desk;

  private ReplaySession(OpsOptions options, CommandSpec spec, ReplayDesk desk) {
    this.options = options;
    this.spec = spec;
    this.desk = desk;
  }

  static ReplaySession open(OpsOptions options, CommandSpec spec) throws SQLException {
    Settings read = options.settings();
    RelayRouting settings = RelayRouting.from(read);
    return new ReplaySession(
        options, spec, ReplayDesk.open(settings, options.connect(read, OpsOptions.WRITING_ROLE)));
  }

  ReplayDesk desk() {
    return desk;
  }

  /** Starts a new replay and runs it; returns the exit code. */
  int start(ChangeOptions change, ReplayDesk.Planned planned)
      throws SQLException, InterruptedException {
    return run(
        (stop, watcher) -> desk.start(change::start, change.operator(), planned, stop, watcher));
  }

  /**
   * Takes up a replay that stopped.
   *
   * @param rate events per second from now on; null for as before
   */
  int resume(ChangeOptions change, UUID id, @Nullable Integer rate)
      throws SQLException, InterruptedException {
    return run((stop, watcher) -> desk.resume(change::start, id, rate, stop, watcher));
  }

  /** What is done until the operator stops it. */
  @FunctionalInterface
  private interface Work {
    ReplayReport run(StopSignal stop, ReplayDesk.Watcher watcher)
        throws SQLException, InterruptedException;
  }

  private int run(Work work) throws SQLException, InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    try (StopSignal stop = StopSignal.ofProcess()) {
      ReplayReport report;
      try (Watching watching = new Watching(err)) {
        try {
          report = work.run(stop, watching);
        } catch (SQLException | KafkaException e) {
          watching.sayHowToGoOn();
          throw e;
        }
      }
      return conclude(report, err);
    }
  }

  private int conclude(ReplayReport report, PrintWriter err) {
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(report));
    } else {
      report.print(out);
    }
    out.flush();
    boolean completed = report.state().equals(ReplayState.COMPLETED.text());
    if (completed && report.refusedCount() + report.goneCount() == 0) {
      return ExitCode.OK.number();
    }
    String result = ReplayDesk.result(report);
    err.println("onceward: " + result + (completed ? "" : ". " + ReplayDesk.goOn(report.id())));
    err.flush();
    return ExitCode.FAILURE.number();
  }

  /** Shows on standard error how far it is. */
  private static final class Watching implements ReplayDesk.Watcher, AutoCloseable {
    private final PrintWriter err;
    private @Nullable UUID id;
    private @Nullable Progress progress;

    Watching(PrintWriter err) {
      this.err = err;
    }

    @Override
    public void begins(UUID replay, long chosenCount) {
      id = replay;
      err.println("onceward: replay " + replay + " runs; Ctrl-C stops it where it can go on");
      err.flush();
      progress = Progress.of(err, "replay", "events", chosenCount);
    }

    @Override
    public void reached(long doneCount) {
      if (progress != null) {
        progress.reach(doneCount);
      }
    }

    void sayHowToGoOn() {
      if (id != null) {
        err.println("onceward: not all is sent. " + ReplayDesk.goOn(id));
        err.flush();
      }
    }

    @Override
    public void close() {
      if (progress != null) {
        progress.close();
      }
    }
  }

  @Override
  public void close() throws SQLException {
    desk.close();
  }
}

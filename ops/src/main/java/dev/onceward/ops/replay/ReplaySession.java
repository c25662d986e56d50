package dev.onceward.ops.replay;

import dev.onceward.db.relay.RelayStateStore;
import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.Refusal;
import dev.onceward.ops.change.ChangeOptions;
import dev.onceward.ops.change.StartedAction;
import dev.onceward.ops.kafka.RelayRouting;
import dev.onceward.ops.show.Progress;
import dev.onceward.process.ExitCode;
import dev.onceward.process.Settings;
import dev.onceward.process.StartupException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A command's connections and what is done over them. Confined to the command's thread.
 *
 * <p>The database connection holds the lock of the replay that runs.
 */
final class ReplaySession implements AutoCloseable {
  private final OpsOptions options;
  private final CommandSpec spec;
  private final RelayRouting settings;
  private final Connection connection;
  private final Admin admin;
  private final Map<String, Integer> pinned;

  private ReplaySession(
      OpsOptions options,
      CommandSpec spec,
      RelayRouting settings,
      Connection connection,
      Admin admin,
      Map<String, Integer> pinned) {
    this.options = options;
    this.spec = spec;
    this.settings = settings;
    this.connection = connection;
    this.admin = admin;
    this.pinned = pinned;
  }

  static ReplaySession open(OpsOptions options, CommandSpec spec) throws SQLException {
    Settings read = options.settings();
    RelayRouting settings = RelayRouting.from(read);
    Connection connection = options.connect(read, OpsOptions.WRITING_ROLE);
    Admin admin = null;
    boolean complete = false;
    try {
      connection.setAutoCommit(false);
      Map<String, Integer> pinned =
          new RelayStateStore(settings.relay()).pinnedPartitions(connection);
      connection.commit();
      admin = settings.kafka().admin();
      complete = true;
      return new ReplaySession(options, spec, settings, connection, admin, pinned);
    } finally {
      if (!complete) {
        connection.close();
      }
    }
  }

  /**
   * Counts what would be sent.
   *
   * @throws StartupException if that is nothing
   */
  Census census(EventSelection selection) throws SQLException {
    Census census = new ChosenEvents(selection).count(connection);
    connection.commit();
    if (census == null) {
      throw Refusal.of(
          "nothing is proven to be in Kafka yet, so there is nothing to replay",
          "Start the relay, and see onceward status");
    }
    if (census.chosenCount() == 0) {
      throw Refusal.of(
          "no event is chosen ("
              + selection.text()
              + "): "
              + census.pendingCount()
              + " are not proven to be in Kafka yet, "
              + census.parkedCount()
              + " are parked, dead or discarded",
          "Choose others; the outbox holds events as long as onceward.relay.retention says");
    }
    return census;
  }

  ReplayTopics.Plan plan(Census census, @Nullable String toTopic) {
    return topics().plan(census, toTopic);
  }

  private ReplayTopics topics() {
    return new ReplayTopics(admin, settings.topicNames(), pinned);
  }

  /** The replay of that id, as it stands. */
  Replay find(UUID id) throws SQLException {
    Replay found =
        ReplayStore.find(connection, id)
            .orElseThrow(() -> Refusal.of("there is no replay " + id, "See onceward replay list"));
    connection.commit();
    return found;
  }

  /** Starts a new replay and runs it; returns the exit code. */
  int start(ChangeOptions change, ReplayStore.NewReplay wanted, ReplayTopics.Plan plan)
      throws SQLException, InterruptedException {
    try (StopSignal stop = StopSignal.ofProcess()) {
      StartedAction action = change.start(connection);
      return noted(
          action,
          () -> {
            String topic = wanted.toTopic();
            if (topic != null && plan.isMissing()) {
              topics().make(topic, plan.topics().getOrDefault(topic, 1));
            }
            KafkaPositions ends = topics().ends(plan.topics().keySet());
            UUID id = ReplayStore.insert(connection, wanted.at(ends));
            ReplayStore.lock(connection, id);
            connection.commit();
            return run(action, find(id), Set.of(), stop);
          });
    }
  }

  /**
   * Takes up a replay that stopped.
   *
   * @param rate events per second from now on
   */
  int resume(ChangeOptions change, Replay replay, int rate)
      throws SQLException, InterruptedException {
    try (StopSignal stop = StopSignal.ofProcess()) {
      boolean locked = ReplayStore.lock(connection, replay.id());
      connection.commit();
      // Read again: whoever had the lock before may have gone on.
      Replay current = find(replay.id());
      requireResumable(current, locked);
      KafkaPositions ends = topics().ends(current.positions().topics().keySet());
      Set<UUID> present =
          new ReadBack(settings.kafka()).find(current.id(), current.positions(), ends);
      StartedAction action = change.start(connection);
      return noted(
          action,
          () -> {
            boolean taken = ReplayStore.takeUp(connection, current, rate);
            connection.commit();
            requireResumable(current, taken);
            return run(action, find(current.id()), present, stop);
          });
    }
  }

  static void requireResumable(Replay replay, boolean isFree) {
    if (!replay.state().isResumable()) {
      throw Refusal.of(
          "replay " + replay.id() + " is completed; nothing of it is left", "Start a new one");
    }
    if (!isFree) {
      throw Refusal.of(
          "replay "
              + replay.id()
              + " runs (server process "
              + replay.processId()
              + "); one process at a time",
          "Wait for it, or stop it");
    }
  }

  private int run(StartedAction action, Replay replay, Set<UUID> present, StopSignal stop)
      throws SQLException, InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    err.println("onceward: replay " + replay.id() + " runs; Ctrl-C stops it where it can go on");
    err.flush();
    try (Progress progress = Progress.of(err, "replay", "events", replay.chosenCount());
        ReplayProducer producer =
            new ReplayProducer(settings.kafka().clientSettings(), ReplayProducer.PATIENCE)) {
      ReplayTarget target = new ReplayTarget(replay, settings, pinned);
      new ReplayRun(connection, replay, target, present, stop, progress::reach).run(producer);
    } catch (SendingFailedException e) {
      throw StartupException.unavailable(
          "Kafka failed (" + e.getMessage() + ")",
          "Check that its brokers run. " + goOn(replay.id()),
          e);
    } catch (SQLException | KafkaException e) {
      err.println("onceward: not all is sent. " + goOn(replay.id()));
      err.flush();
      throw e;
    }
    return conclude(action, find(replay.id()), err);
  }

  private int conclude(StartedAction action, Replay replay, PrintWriter err) throws SQLException {
    String result =
        "replay "
            + replay.id()
            + " "
            + replay.state().text()
            + ": "
            + replay.sentCount()
            + " of "
            + replay.chosenCount()
            + " sent, "
            + replay.refusedCount()
            + " refused, "
            + replay.goneCount()
            + " gone";
    ReplayReport report = ReplayReport.of(replay);
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(report));
    } else {
      report.print(out);
    }
    out.flush();
    if (replay.state() != ReplayState.COMPLETED) {
      action.interrupted(connection, result);
      err.println("onceward: " + result + ". " + goOn(replay.id()));
      err.flush();
      return ExitCode.FAILURE.number();
    }
    if (replay.refusedCount() + replay.goneCount() > 0) {
      action.failed(connection, result);
      err.println("onceward: " + result);
      err.flush();
      return ExitCode.FAILURE.number();
    }
    action.succeeded(connection, result);
    return ExitCode.OK.number();
  }

  private static String goOn(UUID id) {
    return "Go on with: onceward replay resume " + id;
  }

  /** Work of a started action. */
  @FunctionalInterface
  private interface Work {
    int run() throws SQLException, InterruptedException;
  }

  /** Notes a failure of the work as the end of its action. */
  private int noted(StartedAction action, Work work) throws SQLException, InterruptedException {
    try {
      return work.run();
    } catch (SQLException | KafkaException | StartupException | InterruptedException e) {
      try {
        connection.rollback();
        action.failed(connection, String.valueOf(e.getMessage()));
      } catch (SQLException away) {
        e.addSuppressed(away);
      }
      throw e;
    }
  }

  @Override
  public void close() throws SQLException {
    admin.close(Duration.ZERO);
    connection.close();
  }
}

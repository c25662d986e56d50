package dev.onceward.ops.replay;

import dev.onceward.db.relay.RelayStateStore;
import dev.onceward.ops.Refusal;
import dev.onceward.ops.change.StartedAction;
import dev.onceward.ops.kafka.RelayRouting;
import dev.onceward.process.StartupException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Plans and runs one replay over connections of its own, without a word to anybody. Confined to one
 * thread; close it.
 *
 * <p>The database connection holds the lock of the replay that runs.
 */
public final class ReplayDesk implements AutoCloseable {
  private final RelayRouting settings;
  private final Connection connection;
  private final Admin admin;
  private final Map<String, Integer> pinned;

  private ReplayDesk(
      RelayRouting settings, Connection connection, Admin admin, Map<String, Integer> pinned) {
    this.settings = settings;
    this.connection = connection;
    this.admin = admin;
    this.pinned = pinned;
  }

  /** Notes that something is sent from now on. */
  @FunctionalInterface
  public interface Start {
    /** Notes it over this connection, and commits. */
    StartedAction on(Connection connection) throws SQLException;
  }

  /** Is told how far it is, on the thread that runs it. */
  public interface Watcher {
    /** It stands in the table, and its events are about to be sent. */
    void begins(UUID id, long chosenCount);

    /** So many events are done in all. */
    void reached(long doneCount);
  }

  /** A replay that could be started. Immutable. */
  public static final class Planned {
    private final EventSelection selection;
    private final Census census;
    private final ReplayTopics.Plan topics;
    private final @Nullable String toTopic;
    private final int rate;

    private Planned(
        EventSelection selection,
        Census census,
        ReplayTopics.Plan topics,
        @Nullable String toTopic,
        int rate) {
      this.selection = selection;
      this.census = census;
      this.topics = topics;
      this.toTopic = toTopic;
      this.rate = rate;
    }

    /** What it would do. */
    public PlanReport report() {
      return PlanReport.of(census, topics, rate);
    }
  }

  /**
   * Takes a connection over, which is closed with the desk, or at once where this fails.
   *
   * @param connection of a role that may replay; nothing else uses it
   */
  public static ReplayDesk open(RelayRouting settings, Connection connection) throws SQLException {
    Admin admin = null;
    boolean complete = false;
    try {
      connection.setAutoCommit(false);
      Map<String, Integer> pinned =
          new RelayStateStore(settings.relay()).pinnedPartitions(connection);
      connection.commit();
      admin = settings.kafka().admin();
      complete = true;
      return new ReplayDesk(settings, connection, admin, pinned);
    } finally {
      if (!complete) {
        connection.close();
      }
    }
  }

  /** The newest ones, newest first. */
  public static List<ReplayReport> newest(Connection connection, int atMost) throws SQLException {
    return ReplayStore.newest(connection, atMost).stream().map(ReplayReport::of).toList();
  }

  /**
   * One of them, as it stands.
   *
   * @throws StartupException if there is none
   */
  public static ReplayReport show(Connection connection, UUID id) throws SQLException {
    return ReplayReport.of(
        ReplayStore.find(connection, id)
            .orElseThrow(() -> Refusal.of("there is no replay " + id, "See onceward replay list")));
  }

  /**
   * Counts what would be sent, and where to.
   *
   * @param toTopic a private topic; null if each event goes to its own
   * @param rate events per second
   * @throws StartupException if that is nothing, or cannot be
   */
  public Planned plan(EventSelection selection, @Nullable String toTopic, int rate)
      throws SQLException {
    Census census = census(selection);
    return new Planned(selection, census, topics().plan(census, toTopic), toTopic, rate);
  }

  private Census census(EventSelection selection) throws SQLException {
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

  /**
   * Starts it, and returns when it has ended.
   *
   * @param replayedBy who starts it, 1 to 200 characters
   * @param stop heard between two pages
   */
  public ReplayReport start(
      Start start, String replayedBy, Planned wanted, StopSignal stop, Watcher watcher)
      throws SQLException, InterruptedException {
    StartedAction action = start.on(connection);
    return noted(
        action,
        () -> {
          String topic = wanted.toTopic;
          if (topic != null && wanted.topics.isMissing()) {
            topics().make(topic, wanted.topics.topics().getOrDefault(topic, 1));
          }
          // Taken when the topic exists.
          KafkaPositions ends = topics().ends(wanted.topics.topics().keySet());
          UUID id =
              ReplayStore.insert(
                  connection,
                  new ReplayStore.NewReplay(
                      replayedBy, wanted.selection, wanted.census, topic, wanted.rate, ends));
          ReplayStore.lock(connection, id);
          connection.commit();
          return run(action, find(id), Set.of(), stop, watcher);
        });
  }

  /**
   * Takes up a replay that stopped, and returns when it has ended.
   *
   * @param rate events per second from now on; null for as before
   * @param stop heard between two pages
   */
  public ReplayReport resume(
      Start start, UUID id, @Nullable Integer rate, StopSignal stop, Watcher watcher)
      throws SQLException, InterruptedException {
    Replay replay = find(id);
    boolean locked = ReplayStore.lock(connection, replay.id());
    connection.commit();
    // Read again: whoever had the lock before may have gone on.
    Replay current = find(replay.id());
    requireResumable(current, locked);
    KafkaPositions ends = topics().ends(current.positions().topics().keySet());
    Set<UUID> present =
        new ReadBack(settings.kafka()).find(current.id(), current.positions(), ends);
    StartedAction action = start.on(connection);
    return noted(
        action,
        () -> {
          boolean taken =
              ReplayStore.takeUp(
                  connection, current, rate == null ? current.eventsPerSecond() : rate);
          connection.commit();
          requireResumable(current, taken);
          return run(action, find(current.id()), present, stop, watcher);
        });
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

  private ReplayReport run(
      StartedAction action, Replay replay, Set<UUID> present, StopSignal stop, Watcher watcher)
      throws SQLException, InterruptedException {
    watcher.begins(replay.id(), replay.chosenCount());
    try (ReplayProducer producer =
        new ReplayProducer(settings.kafka().clientSettings(), ReplayProducer.PATIENCE)) {
      ReplayTarget target = new ReplayTarget(replay, settings, pinned);
      new ReplayRun(connection, replay, target, present, stop, watcher::reached).run(producer);
    } catch (SendingFailedException e) {
      throw StartupException.unavailable(
          "Kafka failed (" + e.getMessage() + ")",
          "Check that its brokers run. " + goOn(replay.id()),
          e);
    }
    return conclude(action, find(replay.id()));
  }

  private ReplayReport conclude(StartedAction action, Replay replay) throws SQLException {
    String result = result(ReplayReport.of(replay));
    if (replay.state() != ReplayState.COMPLETED) {
      action.interrupted(connection, result);
    } else if (replay.refusedCount() + replay.goneCount() > 0) {
      action.failed(connection, result);
    } else {
      action.succeeded(connection, result);
    }
    return ReplayReport.of(replay);
  }

  /** What has come of it, in a line. */
  static String result(ReplayReport replay) {
    return "replay "
        + replay.id()
        + " "
        + replay.state()
        + ": "
        + replay.sentCount()
        + " of "
        + replay.chosenCount()
        + " sent, "
        + replay.refusedCount()
        + " refused, "
        + replay.goneCount()
        + " gone";
  }

  static String goOn(UUID id) {
    return "Go on with: onceward replay resume " + id;
  }

  /** Work of a started action. */
  @FunctionalInterface
  private interface Work {
    ReplayReport run() throws SQLException, InterruptedException;
  }

  /** Notes a failure of the work as the end of its action. */
  private ReplayReport noted(StartedAction action, Work work)
      throws SQLException, InterruptedException {
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

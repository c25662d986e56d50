package dev.onceward.ops.replay;

import dev.onceward.event.route.EventRecord;
import dev.onceward.event.route.OutboxRow;
import dev.onceward.ops.Refusal;
import dev.onceward.ops.replay.ReplayStore.Progress;
import dev.onceward.ops.replay.ReplayStore.Trouble;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of a replay: page after page is read, sent, acknowledged and then recorded. Confined to
 * one thread, which holds the replay's lock on the connection.
 *
 * <p>A stop is heard between two pages, so that nothing is under way then.
 */
final class ReplayRun {
  private static final String REFUSED = "RECORDS_REFUSED";
  private static final String INTERRUPTED = "INTERRUPTED";
  private static final String KAFKA_FAILED = "KAFKA_FAILED";

  private final Connection connection;
  private final Replay replay;
  private final ReplayTarget target;
  private final Set<UUID> present;
  private final StopSignal stop;
  private final LongConsumer progress;
  private KafkaPositions positions;
  private @Nullable UUID acknowledged;
  private long doneCount;

  /**
   * @param connection in no transaction, with auto-commit off
   * @param replay as it stands, running
   * @param present what the run before has sent without recording it
   * @param stop heard between two pages
   * @param progress is told how many events are done in all
   */
  ReplayRun(
      Connection connection,
      Replay replay,
      ReplayTarget target,
      Set<UUID> present,
      StopSignal stop,
      LongConsumer progress) {
    this.connection = connection;
    this.replay = replay;
    this.target = target;
    this.present = Set.copyOf(present);
    this.stop = stop;
    this.progress = progress;
    this.positions = replay.positions();
    this.acknowledged = replay.acknowledgedEventId();
    this.doneCount = replay.sentCount() + replay.refusedCount();
  }

  /**
   * Sends until all is sent or a stop is requested; what has come of it stands in the table.
   *
   * @throws SendingFailedException if Kafka did not take a page; the replay is stopped
   * @throws SQLException if progress cannot be recorded: the page counts as not sent, and reading
   *     back will show that it was
   */
  void run(ReplayProducer producer)
      throws SQLException, SendingFailedException, InterruptedException {
    ChosenEvents events = new ChosenEvents(replay.selection());
    Pace pace = new Pace(replay.eventsPerSecond(), stop);
    progress.accept(doneCount);
    while (true) {
      List<OutboxRow> page = events.page(connection, replay, acknowledged, pace.pageSize());
      connection.commit();
      if (page.isEmpty()) {
        end(ReplayState.COMPLETED, null);
        return;
      }
      if (!pace.await(page.size())) {
        end(ReplayState.STOPPED, new Trouble(INTERRUPTED, "stopped by the operator"));
        return;
      }
      send(producer, page);
    }
  }

  private void send(ReplayProducer producer, List<OutboxRow> page)
      throws SQLException, SendingFailedException, InterruptedException {
    List<EventRecord> records = new ArrayList<>(page.size());
    int presentCount = 0;
    for (OutboxRow row : page) {
      if (present.contains(row.id())) {
        presentCount++;
      } else {
        target.build(row).ifPresent(records::add);
      }
    }
    Sent sent;
    try {
      sent = producer.send(records);
    } catch (SendingFailedException e) {
      end(ReplayState.STOPPED, new Trouble(KAFKA_FAILED, String.valueOf(e.getMessage())));
      throw e;
    }
    int refused = sent.refusals().size();
    UUID last = page.get(page.size() - 1).id();
    positions = positions.advanced(sent.ends());
    Progress made =
        new Progress(
            last, positions, presentCount + records.size() - refused, refused, trouble(sent));
    requireOwn(ReplayStore.progress(connection, replay, made));
    connection.commit();
    acknowledged = last;
    doneCount += presentCount + records.size();
    progress.accept(doneCount);
  }

  private static @Nullable Trouble trouble(Sent sent) {
    if (sent.refusals().isEmpty()) {
      return null;
    }
    Sent.Refusal refusal = sent.refusals().get(0);
    return new Trouble(REFUSED, refusal.eventId() + ": " + refusal.reason());
  }

  private void end(ReplayState state, @Nullable Trouble trouble) throws SQLException {
    requireOwn(ReplayStore.end(connection, replay, state, trouble));
    connection.commit();
  }

  private void requireOwn(boolean changed) throws SQLException {
    if (!changed) {
      connection.rollback();
      throw Refusal.of(
          "replay " + replay.id() + " has been taken up by somebody else",
          "See onceward replay show " + replay.id());
    }
  }
}

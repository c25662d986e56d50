package dev.onceward.ops.replay;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code replays}. Immutable.
 *
 * @param id also the header {@code replay_id}
 * @param replayedBy who started it
 * @param startedAt when
 * @param selection which events were wanted
 * @param chosenSnapshot the transactions that it chose from
 * @param firstEventId the lowest id of those chosen
 * @param lastEventId the highest
 * @param toTopic the private topic, or null if each event goes to its own
 * @param eventsPerSecond the most that are sent
 * @param state where it is
 * @param runNumber how often it was started or resumed
 * @param acknowledgedEventId everything up to it is done; null if nothing is
 * @param positions where Kafka stood then
 * @param chosenCount how many events there were at the start
 * @param sentCount how many of them were acknowledged
 * @param refusedCount how many of them Kafka will never take
 * @param progressedAt when the last progress was recorded
 * @param endedAt when it stopped; null while it runs
 * @param lastErrorCode why it stopped, or what was refused; null if nothing went wrong
 * @param lastErrorSummary the same for people
 * @param processId the server process of whoever runs it now; null if nobody does
 */
record Replay(
    UUID id,
    String replayedBy,
    Instant startedAt,
    EventSelection selection,
    String chosenSnapshot,
    UUID firstEventId,
    UUID lastEventId,
    @Nullable String toTopic,
    int eventsPerSecond,
    ReplayState state,
    int runNumber,
    @Nullable UUID acknowledgedEventId,
    KafkaPositions positions,
    long chosenCount,
    long sentCount,
    long refusedCount,
    Instant progressedAt,
    @Nullable Instant endedAt,
    @Nullable String lastErrorCode,
    @Nullable String lastErrorSummary,
    @Nullable Integer processId) {

  /** Whether its process has died without a word. */
  boolean isAbandoned() {
    return state == ReplayState.RUNNING && processId == null;
  }

  /** How many are left to do, as far as was known at the start. */
  long remainingCount() {
    return Math.max(0, chosenCount - sentCount - refusedCount);
  }

  /** How many of the chosen events the outbox did not hold any more when their turn came. */
  long goneCount() {
    return state == ReplayState.COMPLETED ? remainingCount() : 0;
  }
}

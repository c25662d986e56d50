package dev.onceward.ops.status;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the pipeline stands at one moment. Immutable.
 *
 * @param at the database's time
 * @param database the database and its server
 * @param slot the relay's replication slot; null when it does not exist
 * @param relay what the relay has recorded; null when no relay has ever run
 * @param outbox the events
 * @param operations how many operations are in each state; every state is named
 * @param findings what needs a hand; empty when all is well
 */
public record PipelineStatus(
    Instant at,
    Server database,
    @Nullable Slot slot,
    @Nullable Relay relay,
    Outbox outbox,
    Map<String, Long> operations,
    List<String> findings) {

  public PipelineStatus {
    operations = Map.copyOf(operations);
    findings = List.copyOf(findings);
  }

  /**
   * @param name of the database
   * @param version of the server
   * @param inRecovery whether it is a standby
   */
  public record Server(String name, String version, boolean inRecovery) {}

  /**
   * @param name of the slot
   * @param active whether a relay streams from it now
   * @param walStatus PostgreSQL's word on the log that it keeps: reserved, extended, unreserved,
   *     lost
   * @param retainedBytes log kept for it
   * @param lagBytes log behind what the relay has confirmed
   * @param confirmedLsn the confirmed position; null before the first
   */
  public record Slot(
      String name,
      boolean active,
      String walStatus,
      long retainedBytes,
      long lagBytes,
      @Nullable String confirmedLsn) {}

  /**
   * @param name of the relay, which is its slot's
   * @param deliveredAt up to when everything was delivered; null before the first time
   * @param auditedAt up to when delivery was verified; null before the first time
   */
  public record Relay(String name, @Nullable Instant deliveredAt, @Nullable Instant auditedAt) {}

  /**
   * @param events rows kept
   * @param newestAt the time of the newest event; null when there is none
   * @param parked events that the relay could not send yet
   * @param deadLetters events that it will not send without an operator
   */
  public record Outbox(long events, @Nullable Instant newestAt, long parked, long deadLetters) {}
}

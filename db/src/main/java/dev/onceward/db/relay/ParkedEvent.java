package dev.onceward.db.relay;

import java.util.UUID;

/**
 * An event that Kafka did not take, with its record. Not copied defensively: whoever gets one
 * leaves its arrays alone.
 *
 * @param eventId the event
 * @param workspaceId whose event it is
 * @param xid the transaction that wrote it
 * @param topic where it goes
 * @param partitionKey what its partition is computed from
 * @param key the record's key
 * @param value the record's value; empty if the row has no record form
 * @param headers the record's headers, as JSON
 */
@SuppressWarnings("ArrayRecordComponent") // Sent as it is, never compared.
public record ParkedEvent(
    UUID eventId,
    UUID workspaceId,
    long xid,
    String topic,
    String partitionKey,
    byte[] key,
    byte[] value,
    String headers) {

  /** Names the event, never its content. */
  @Override
  public String toString() {
    return "ParkedEvent[" + eventId + " for " + topic + "]";
  }

  /**
   * Why an event is parked.
   *
   * @param permanent whether no attempt can help: it is a dead letter at once
   * @param code a stable code
   * @param summary for an operator, without content and secrets
   */
  public record Reason(boolean permanent, String code, String summary) {}
}

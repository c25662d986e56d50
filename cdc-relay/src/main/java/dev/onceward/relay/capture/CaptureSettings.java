package dev.onceward.relay.capture;

import dev.onceward.process.Secret;
import java.time.Duration;

/**
 * What a source needs to know. Immutable; its text form holds no secret.
 *
 * @param jdbcUrl the database, as {@code jdbc:postgresql://host:port/name?options}, one host
 * @param user a role that may replicate
 * @param password its password
 * @param slotName an existing slot of plugin {@code pgoutput}
 * @param publication an existing publication of the outbox table
 * @param table the outbox table with its schema
 * @param pollInterval how long a change may lie in the engine's queue before it is handed over, or
 *     an idle stream stay unread; a shorter one costs CPU while idle
 * @param batchEvents the most events in one batch
 */
public record CaptureSettings(
    String jdbcUrl,
    String user,
    Secret password,
    String slotName,
    String publication,
    String table,
    Duration pollInterval,
    int batchEvents) {

  /** Without the URL's options, which can hold passwords. */
  @Override
  public String toString() {
    return "CaptureSettings[" + DatabaseAddress.parse(jdbcUrl) + ", slot " + slotName + "]";
  }
}

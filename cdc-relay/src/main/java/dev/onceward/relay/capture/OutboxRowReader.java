package dev.onceward.relay.capture;

import dev.onceward.event.RawJson;
import dev.onceward.event.route.OutboxRow;
import java.time.Instant;
import java.util.UUID;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/** Reads an engine's record of an insert. Stateless. */
final class OutboxRowReader {
  // The fields of the engine's change events that matter here.
  private static final String OPERATION = "op";
  private static final String INSERT = "c";
  private static final String AFTER = "after";
  private static final String SOURCE = "source";

  private OutboxRowReader() {}

  /**
   * The event of a record, or null for a record that is no insert (a logical message).
   *
   * @throws org.apache.kafka.connect.errors.DataException if a published column is missing
   */
  static @Nullable CapturedEvent read(SourceRecord record) {
    if (!(record.value() instanceof Struct change)
        || change.schema().field(AFTER) == null
        || !INSERT.equals(change.getString(OPERATION))) {
      return null;
    }
    Struct source = change.getStruct(SOURCE);
    return new CapturedEvent(
        row(change.getStruct(AFTER)),
        source.getInt64("lsn"),
        Instant.ofEpochMilli(source.getInt64("ts_ms")));
  }

  private static OutboxRow row(Struct after) {
    return new OutboxRow(
        UUID.fromString(after.getString("id")),
        UUID.fromString(after.getString("workspace_id")),
        after.getString("event_type"),
        after.getInt32("payload_version"),
        after.getString("aggregate_type"),
        after.getString("aggregate_id"),
        after.getString("resource_type"),
        after.getString("resource_id"),
        after.getString("business_key"),
        after.getString("request_id"),
        after.getString("correlation_id"),
        after.getString("traceparent"),
        RawJson.of(after.getString("payload")));
  }
}

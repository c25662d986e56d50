package dev.onceward.relay.capture;

import dev.onceward.event.RawJson;
import dev.onceward.event.route.OutboxRow;
import io.debezium.engine.RecordChangeEvent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the engine's records. Stateless. */
final class ChangeReader {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeReader.class);

  // The fields of the engine's change events that matter here.
  private static final String OPERATION = "op";
  private static final String INSERT = "c";
  private static final String MESSAGE = "m";
  private static final String SOURCE = "source";
  private static final String TRANSACTION = "txId";
  private static final String LSN = "lsn";

  private ChangeReader() {}

  /**
   * The rows and messages of some records; what is neither is left out.
   *
   * @throws org.apache.kafka.connect.errors.DataException if a published column is missing
   */
  static ChangeBatch read(List<RecordChangeEvent<SourceRecord>> records) {
    List<CapturedEvent> events = new ArrayList<>(records.size());
    List<LogicalMessage> messages = new ArrayList<>();
    for (RecordChangeEvent<SourceRecord> record : records) {
      if (record.record().value() instanceof Struct change) {
        switch (change.getString(OPERATION)) {
          case INSERT -> events.add(event(change));
          case MESSAGE -> readMessage(change, messages);
          default -> LOG.debug("A change that is no insert was skipped");
        }
      }
    }
    return new ChangeBatch(events, messages);
  }

  private static CapturedEvent event(Struct change) {
    Struct source = change.getStruct(SOURCE);
    return new CapturedEvent(
        row(change.getStruct("after")),
        source.getInt64(TRANSACTION),
        source.getInt64(LSN),
        Instant.ofEpochMilli(source.getInt64("ts_ms")));
  }

  private static void readMessage(Struct change, List<LogicalMessage> messages) {
    Struct source = change.getStruct(SOURCE);
    // A transactional one stands at its commit and not where it was written: none of ours.
    if (source.getInt64(TRANSACTION) == null) {
      byte[] content = change.getStruct("message").getBytes("content");
      messages.add(
          new LogicalMessage(new String(content, StandardCharsets.UTF_8), source.getInt64(LSN)));
    }
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

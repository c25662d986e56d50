package dev.onceward.relay.capture.direct;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The columns of an event, by the names that the outbox table gives them. */
enum OutboxColumn {
  ID(OutboxColumn.UUID),
  WORKSPACE_ID(OutboxColumn.UUID),
  EVENT_TYPE(OutboxColumn.TEXT),
  PAYLOAD_VERSION(OutboxColumn.INTEGER),
  AGGREGATE_TYPE(OutboxColumn.TEXT),
  AGGREGATE_ID(OutboxColumn.TEXT),
  RESOURCE_TYPE(OutboxColumn.TEXT),
  RESOURCE_ID(OutboxColumn.TEXT),
  BUSINESS_KEY(OutboxColumn.TEXT),
  REQUEST_ID(OutboxColumn.TEXT),
  CORRELATION_ID(OutboxColumn.TEXT),
  TRACEPARENT(OutboxColumn.TEXT),
  PAYLOAD(OutboxColumn.JSON);

  // Object ids of built-in types, which no version of PostgreSQL changes (pg_type.dat).
  private static final int INTEGER = 23;
  private static final int TEXT = 25;
  private static final int JSON = 114;
  private static final int UUID = 2950;

  private final int typeId;

  OutboxColumn(int typeId) {
    this.typeId = typeId;
  }

  /** The object id of the type whose binary form is expected. */
  int typeId() {
    return typeId;
  }

  /** Null for a column that no event has. */
  static @Nullable OutboxColumn named(String name) {
    for (OutboxColumn column : values()) {
      if (column.name().toLowerCase(Locale.ROOT).equals(name)) {
        return column;
      }
    }
    return null;
  }
}

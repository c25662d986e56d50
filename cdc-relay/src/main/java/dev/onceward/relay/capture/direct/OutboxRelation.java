package dev.onceward.relay.capture.direct;

import dev.onceward.event.RawJson;
import dev.onceward.event.route.OutboxRow;
import dev.onceward.relay.capture.CaptureException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The outbox table as the stream has last described it: which column of a row stands where.
 * Immutable.
 */
final class OutboxRelation {
  // How a value is sent: not at all, or in its type's binary form.
  private static final byte NULL = 'n';
  private static final byte BINARY = 'b';

  private final List<@Nullable OutboxColumn> columns;

  private OutboxRelation(List<@Nullable OutboxColumn> columns) {
    this.columns = columns;
  }

  /**
   * Reads the rest of a Relation message, from the number of columns on.
   *
   * @throws CaptureException if a column of an event is not among them, or is of another type
   */
  static OutboxRelation read(ByteBuffer message) throws CaptureException {
    int count = message.getShort();
    List<@Nullable OutboxColumn> columns = new ArrayList<>(count);
    Set<OutboxColumn> missing = EnumSet.allOf(OutboxColumn.class);
    for (int i = 0; i < count; i++) {
      byte unusedFlags = message.get();
      String name = ProtocolText.terminated(message);
      int typeId = message.getInt();
      int unusedModifier = message.getInt();
      OutboxColumn column = OutboxColumn.named(name);
      if (column != null && typeId != column.typeId()) {
        throw new CaptureException(
            "The published column " + name + " is of another type than the migrations give it",
            null);
      }
      columns.add(column);
      missing.remove(column);
    }
    if (!missing.isEmpty()) {
      throw new CaptureException("The publication lacks the columns " + missing, null);
    }
    return new OutboxRelation(columns);
  }

  /**
   * Reads a row: the rest of an Insert message, from the number of columns on.
   *
   * @throws CaptureException if it does not fit the description
   */
  OutboxRow row(ByteBuffer message) throws CaptureException {
    int count = message.getShort();
    if (count != columns.size()) {
      throw new CaptureException("A row has " + count + " columns, not " + columns.size(), null);
    }
    Values values = new Values();
    for (OutboxColumn column : columns) {
      byte form = message.get();
      if (form == NULL) {
        continue;
      }
      if (form != BINARY) {
        throw new CaptureException("The column " + column + " was not sent in binary form", null);
      }
      int length = message.getInt();
      if (column == null) {
        message.position(message.position() + length);
      } else {
        values.take(column, message, length);
      }
    }
    return values.row();
  }

  /** One row's values while they are read. */
  private static final class Values {
    private final Map<OutboxColumn, Object> values = new EnumMap<>(OutboxColumn.class);

    void take(OutboxColumn column, ByteBuffer message, int length) {
      values.put(
          column,
          switch (column) {
            case ID, WORKSPACE_ID -> new UUID(message.getLong(), message.getLong());
            case PAYLOAD_VERSION -> message.getInt();
            case PAYLOAD -> json(message, length);
            default -> ProtocolText.counted(message, length);
          });
    }

    private static RawJson json(ByteBuffer message, int length) {
      int from = message.arrayOffset() + message.position();
      message.position(message.position() + length);
      return RawJson.copyOfRange(message.array(), from, from + length);
    }

    OutboxRow row() throws CaptureException {
      return new OutboxRow(
          required(OutboxColumn.ID, UUID.class),
          required(OutboxColumn.WORKSPACE_ID, UUID.class),
          text(OutboxColumn.EVENT_TYPE),
          required(OutboxColumn.PAYLOAD_VERSION, Integer.class),
          text(OutboxColumn.AGGREGATE_TYPE),
          text(OutboxColumn.AGGREGATE_ID),
          text(OutboxColumn.RESOURCE_TYPE),
          text(OutboxColumn.RESOURCE_ID),
          optional(OutboxColumn.BUSINESS_KEY),
          optional(OutboxColumn.REQUEST_ID),
          optional(OutboxColumn.CORRELATION_ID),
          optional(OutboxColumn.TRACEPARENT),
          required(OutboxColumn.PAYLOAD, RawJson.class));
    }

    private String text(OutboxColumn column) throws CaptureException {
      return required(column, String.class);
    }

    private @Nullable String optional(OutboxColumn column) {
      return (String) values.get(column);
    }

    private <T> T required(OutboxColumn column, Class<T> type) throws CaptureException {
      Object value = values.get(column);
      if (value == null) {
        throw new CaptureException("A row has no value in the column " + column, null);
      }
      return type.cast(value);
    }
  }
}

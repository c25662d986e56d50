package dev.onceward.relay.capture.direct;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.relay.capture.CaptureException;
import dev.onceward.relay.capture.LogicalMessage;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a server of another version or with another schema could send. */
class PgoutputDecoderTest {
  private static final int OUTBOX = 7;

  private final PgoutputDecoder decoder = new PgoutputDecoder("onceward.outbox_events");
  private final ByteBuffer message = ByteBuffer.allocate(4096);

  @Test
  void a_message_of_an_unknown_kind_is_an_error_and_not_skipped() {
    message.put((byte) 'S');

    assertThatThrownBy(this::decode)
        .isInstanceOf(CaptureException.class)
        .hasMessageContaining("unknown kind S");
  }

  @Test
  void a_table_without_a_column_of_an_event_is_refused_by_its_name() {
    relation("onceward", "outbox_events", OutboxColumn.TRACEPARENT, -1);

    assertThatThrownBy(this::decode)
        .isInstanceOf(CaptureException.class)
        .hasMessageContaining("TRACEPARENT");
  }

  @Test
  void a_column_of_another_type_is_refused_by_its_name() {
    int jsonb = 3802;
    relation("onceward", "outbox_events", OutboxColumn.PAYLOAD, jsonb);

    assertThatThrownBy(this::decode)
        .isInstanceOf(CaptureException.class)
        .hasMessageContaining("payload");
  }

  @Test
  void rows_of_another_table_are_left_out() throws CaptureException {
    relation("onceward", "other", OutboxColumn.PAYLOAD, -1);
    assertThat(decode()).isNull();
    message.put((byte) 'I').putInt(OUTBOX).put((byte) 'N').putShort((short) 0);

    assertThat(decode()).isNull();
  }

  @Test
  void a_row_outside_of_a_transaction_is_an_error() throws CaptureException {
    relation("onceward", "outbox_events", null, 0);
    assertThat(decode()).isNull();
    message.put((byte) 'I').putInt(OUTBOX).put((byte) 'N').putShort((short) 0);

    assertThatThrownBy(this::decode).hasMessageContaining("outside of a transaction");
  }

  @Test
  void a_row_without_a_value_that_every_event_has_is_an_error() throws CaptureException {
    relation("onceward", "outbox_events", null, 0);
    assertThat(decode()).isNull();
    message.put((byte) 'B').putLong(1).putLong(0).putInt(-1);
    assertThat(decode()).isNull();
    int columns = OutboxColumn.values().length;
    message.put((byte) 'I').putInt(OUTBOX).put((byte) 'N').putShort((short) columns);
    message.put("n".repeat(columns).getBytes(UTF_8));

    assertThatThrownBy(this::decode).hasMessageContaining("no value in the column ID");
  }

  @Test
  void a_transaction_can_be_confirmed_up_to_its_end_and_a_message_up_to_its_place()
      throws CaptureException {
    message.put((byte) 'C').put((byte) 0).putLong(11).putLong(13).putLong(0);
    assertThat(decode()).isEqualTo(new Change.Committed(13));
    said(0, "onceward");
    assertThat(decode()).isEqualTo(new Change.Said(new LogicalMessage("h\u00e9", 17)));
    said(0, "oncewards");
    assertThat(decode()).isNull();
    said(1, "onceward");
    assertThat(decode()).isNull();
  }

  private void said(int flags, String prefix) {
    byte[] content = "h\u00e9".getBytes(UTF_8);
    message.put((byte) 'M').put((byte) flags).putLong(17);
    text(prefix);
    message.putInt(content.length).put(content);
  }

  /** All columns, but that one with that type; -1 to leave it out. */
  private void relation(String schema, String name, @Nullable OutboxColumn other, int otherTypeId) {
    boolean without = other != null && otherTypeId < 0;
    int columns = OutboxColumn.values().length - (without ? 1 : 0);
    message.put((byte) 'R').putInt(OUTBOX);
    text(schema);
    text(name);
    message.put((byte) 'd').putShort((short) columns);
    for (OutboxColumn column : OutboxColumn.values()) {
      if (column != other || !without) {
        message.put((byte) 0);
        text(column.name().toLowerCase(Locale.ROOT));
        message.putInt(column == other ? otherTypeId : column.typeId()).putInt(-1);
      }
    }
  }

  private void text(String text) {
    message.put(text.getBytes(UTF_8)).put((byte) 0);
  }

  private @Nullable Change decode() throws CaptureException {
    message.flip();
    Change change = decoder.decode(message.slice(), 5);
    message.clear();
    return change;
  }
}

package dev.onceward.relay.watermark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.relay.capture.LogicalMessage;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which messages mean something. The log is read with PostgreSQL's own test plugin. */
@ExtendWith(InfrastructureExtension.class)
class WatermarksTest {
  private MigratedDatabase database;
  private Connection connection;
  private Connection superuser;
  private String slot;

  @BeforeEach
  void prepare(PostgresServer postgres) throws SQLException {
    database = MigratedDatabase.create(postgres);
    connection = database.connect("onceward_relay");
    superuser = database.superuser();
    slot = "peek_" + database.name();
    try (Statement statement = superuser.createStatement()) {
      statement.execute("SELECT pg_create_logical_replication_slot('" + slot + "', 'pgoutput')");
    }
  }

  @AfterEach
  void drop() throws SQLException {
    try (Statement statement = superuser.createStatement()) {
      statement.execute("SELECT pg_drop_replication_slot('" + slot + "')");
    }
    connection.close();
    superuser.close();
    database.close();
  }

  @Test
  void the_newest_of_this_term_is_taken_and_older_ones_are_forgotten() throws Exception {
    Watermarks watermarks = new Watermarks();
    watermarks.emit(connection);
    watermarks.emit(connection);
    watermarks.emit(connection);
    List<LogicalMessage> written = written();
    assertThat(written).hasSize(3);
    assertThat(watermarks.lag()).isPositive();

    assertThat(watermarks.returned(written.subList(0, 2)))
        .hasValueSatisfying(taken -> assertThat(taken.lsn()).isEqualTo(written.get(1).lsn()));
    assertThat(watermarks.returned(written.subList(0, 2))).as("a second time").isEmpty();
    assertThat(watermarks.returned(written))
        .hasValueSatisfying(taken -> assertThat(taken.snapshot()).isEqualTo(watermarks.newest()));
    assertThat(watermarks.lag()).isZero();
  }

  @Test
  void what_others_write_means_nothing() throws Exception {
    Watermarks earlier = new Watermarks();
    earlier.emit(connection);
    Watermarks watermarks = new Watermarks();
    watermarks.emit(connection);
    List<LogicalMessage> written = written();
    String ours = written.get(1).content();
    String nonce = ours.substring(0, ours.length() - 1);
    for (String forged :
        List.of(
            written.get(0).content(),
            "",
            "1",
            nonce,
            nonce + "2",
            nonce + "-1",
            nonce + "1 ",
            nonce + "99999999999999999999",
            nonce.replace(nonce.charAt(0), 'x') + "1")) {
      assertThat(watermarks.returned(List.of(new LogicalMessage(forged, 1)))).as(forged).isEmpty();
    }
    assertThat(watermarks.returned(List.of(written.get(1)))).isPresent();
  }

  @Test
  void a_transaction_that_is_open_is_not_seen_and_one_that_has_ended_is() throws Exception {
    Watermarks watermarks = new Watermarks();
    long open;
    try (Connection writer = database.superuser();
        Statement statement = writer.createStatement()) {
      writer.setAutoCommit(false);
      open = xid(statement);
      watermarks.emit(connection);
      assertThat(watermarks.newest().sees(open)).isFalse();
      writer.commit();
    }
    watermarks.emit(connection);
    assertThat(watermarks.newest().sees(open)).isTrue();
  }

  private static long xid(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("SELECT pg_current_xact_id()::text::bigint")) {
      row.next();
      return row.getLong(1);
    }
  }

  /** The relay's messages in the log, from the beginning. */
  private List<LogicalMessage> written() throws SQLException {
    List<LogicalMessage> messages = new ArrayList<>();
    String peek =
        "SELECT lsn - '0/0', get_byte(data, 0), data FROM pg_logical_slot_peek_binary_changes('"
            + slot
            + "', NULL, NULL, 'proto_version', '1', 'publication_names', 'onceward_outbox',"
            + " 'messages', 'true')";
    try (Statement statement = superuser.createStatement();
        ResultSet row = statement.executeQuery(peek)) {
      while (row.next()) {
        if (row.getInt(2) == 'M') {
          messages.add(new LogicalMessage(content(row.getBytes(3)), row.getLong(1)));
        }
      }
    }
    return messages;
  }

  /** Byte1('M') Int8 flags Int64 LSN String prefix Int32 length Byten content. */
  private static String content(byte[] message) {
    int at = 1 + 1 + 8;
    while (message[at] != 0) {
      at++;
    }
    return new String(message, at + 5, message.length - at - 5, StandardCharsets.UTF_8);
  }
}

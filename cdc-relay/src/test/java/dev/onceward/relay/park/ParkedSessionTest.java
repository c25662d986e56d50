package dev.onceward.relay.park;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.relay.ParkedEvent;
import dev.onceward.db.relay.ParkedEventStore;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.process.Secret;
import dev.onceward.relay.lead.Leadership;
import dev.onceward.relay.slot.RelaySession;
import dev.onceward.relay.slot.SessionBrokenException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
class ParkedSessionTest {
  private static final UUID WORKSPACE = UUID.randomUUID();

  private final ParkedEventStore store = new ParkedEventStore();
  private MigratedDatabase database;

  @BeforeEach
  void prepare(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  void a_leader_whose_lock_is_gone_parks_nothing() throws Exception {
    try (RelaySession term = open()) {
      assertThat(Leadership.tryAcquire(term, database.name())).isTrue();
      try (ParkedSession session = ParkedSession.open(term, this::open)) {
        assertThat(park(session)).containsExactly(true);
        term.close();
        await()
            .until(
                () ->
                    ask(
                        "SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database"
                            + " WHERE l.locktype = 'advisory' AND d.datname = current_database()"),
                "0"::equals);

        assertThatThrownBy(() -> park(session)).isInstanceOf(SessionBrokenException.class);
        assertThat(ask("SELECT count(*) FROM onceward.parked_events")).isEqualTo("1");
      }
    }
  }

  @Test
  void a_write_that_fails_leaves_nothing_and_ends_the_session() throws Exception {
    try (RelaySession term = open();
        ParkedSession session = ParkedSession.open(term, this::open)) {
      assertThat(Leadership.tryAcquire(term, database.name())).isTrue();
      assertThatThrownBy(
              () ->
                  session.write(
                      WORKSPACE,
                      connection -> {
                        insert(connection);
                        throw new SQLException("the second half fails");
                      }))
          .isInstanceOf(SessionBrokenException.class);
      assertThatThrownBy(() -> park(session)).isInstanceOf(SessionBrokenException.class);
      assertThat(ask("SELECT count(*) FROM onceward.parked_events")).isEqualTo("0");
    }
  }

  private List<Boolean> park(ParkedSession session) {
    return session.write(WORKSPACE, this::insert);
  }

  private List<Boolean> insert(Connection connection) throws SQLException {
    ParkedEvent event =
        new ParkedEvent(
            UUID.randomUUID(), WORKSPACE, 7, "topic", "key", new byte[0], new byte[] {1}, "[]");
    return store.insert(
        connection, List.of(event), new ParkedEvent.Reason(false, "OUTBOX_ENQUEUE_FAILED", "why"));
  }

  private RelaySession open() {
    try {
      return RelaySession.open(
          database.url(), "onceward_relay", new Secret(MigratedDatabase.PASSWORD));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private String ask(String sql) throws SQLException {
    try (Connection superuser = database.superuser();
        Statement query = superuser.createStatement();
        ResultSet row = query.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}

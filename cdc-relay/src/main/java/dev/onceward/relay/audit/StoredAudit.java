package dev.onceward.relay.audit;

import dev.onceward.db.relay.RelayState;
import dev.onceward.db.relay.RelayStateStore;
import dev.onceward.db.relay.Snapshot;
import dev.onceward.relay.slot.NotPreparedException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What earlier terms have left, checked against the server at hand. Immutable.
 *
 * @param audited every transaction that it sees is proven to be in Kafka
 * @param deliveredLsn up to where the slot may be moved, or null
 * @param positions from where Kafka holds what is not proven, or null for all of it
 * @param slotGap whether an earlier term made the slot and ended before what that does not bring
 *     was in Kafka
 * @param topics that events may have gone to
 */
public record StoredAudit(
    Snapshot audited,
    @Nullable String deliveredLsn,
    @Nullable KafkaPositions positions,
    boolean slotGap,
    Set<String> topics) {
  private static final String RESTORED =
      "If the database was restored from a backup or is another one, run \"onceward relay repair"
          + " --restored\"; after pg_upgrade, \"onceward relay repair --upgraded\"";

  private static final String SERVER =
      "SELECT system_identifier, pg_current_snapshot()::text FROM pg_control_system()";

  /**
   * Reads what is stored, or makes the row.
   *
   * @throws NotPreparedException if it was not written for this server, is ahead of it, or cannot
   *     be read
   */
  public static StoredAudit load(Connection connection, RelayStateStore store)
      throws SQLException, NotPreparedException {
    store.ensureExists(connection);
    RelayState state = store.load(connection);
    try (PreparedStatement query = connection.prepareStatement(SERVER);
        ResultSet row = query.executeQuery()) {
      row.next();
      long server = row.getLong(1);
      Long stored = state.systemIdentifier();
      if (stored == null) {
        store.claimServer(connection, server);
      } else if (stored != server) {
        throw new NotPreparedException(
            "relay_state was written for the server with system identifier "
                + stored
                + ", but this one is "
                + server,
            RESTORED,
            null);
      }
      return read(state, Snapshot.parse(row.getString(2)));
    }
  }

  private static StoredAudit read(RelayState state, Snapshot present) throws NotPreparedException {
    String snapshot = state.auditedSnapshot();
    Snapshot audited = snapshot == null ? Snapshot.NOTHING : Snapshot.parse(snapshot);
    if (audited.xmax() > present.xmax()) {
      throw new NotPreparedException(
          "relay_state has audited up to transaction "
              + audited.xmax()
              + ", but the server has only come to "
              + present.xmax(),
          RESTORED,
          null);
    }
    return new StoredAudit(
        audited,
        state.deliveredLsn(),
        positions(state.kafkaPositions()),
        state.slotGap(),
        state.topics());
  }

  private static @Nullable KafkaPositions positions(@Nullable String json)
      throws NotPreparedException {
    try {
      return json == null ? null : KafkaPositions.parse(json);
    } catch (IllegalArgumentException e) {
      throw new NotPreparedException(
          "The Kafka positions in relay_state cannot be read: " + e.getMessage(),
          "Set relay_state.kafka_positions to null; Kafka is then read from its beginning",
          e);
    }
  }
}

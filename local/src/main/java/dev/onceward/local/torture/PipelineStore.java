package dev.onceward.local.torture;

import dev.onceward.local.cluster.LocalCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** What the database holds of one run, in every workspace. Each call opens its own connection. */
public final class PipelineStore {

  private static final int PORTION = 10_000;

  private static final String ON_THEIR_WAY =
      """
      SELECT count(*) FROM onceward.outbox_event_status
      WHERE event_id >= onceward.uuid_v7_lower_bound(?) AND status IN ('pending', 'parked')
      """;

  private static final String OPERATIONS =
      """
      SELECT o.id, o.event_id, s.id::text, s.external_id, o.state
      FROM onceward.operations o JOIN onceward.stores s ON s.id::text = o.subject_id
      WHERE s.external_id LIKE ? || '%' ORDER BY o.id
      """;

  private static final String PRESENT =
      "SELECT id FROM onceward.outbox_events WHERE id = ANY (?::uuid[])";

  private static final String SET_ASIDE = "SELECT event_id FROM onceward.parked_events";

  private final LocalCluster cluster;
  private final String prefix;
  private final Instant begun;

  /**
   * @param prefix of the external ids of this run
   * @param begun when it began
   */
  public PipelineStore(LocalCluster cluster, String prefix, Instant begun) {
    this.cluster = cluster;
    this.prefix = prefix;
    this.begun = begun;
  }

  /** Events that are neither proven to be delivered nor set aside for good. */
  long eventsOnTheirWay() throws SQLException {
    try (Connection connection = cluster.connectAsOps();
        PreparedStatement query = connection.prepareStatement(ON_THEIR_WAY)) {
      query.setTimestamp(1, Timestamp.from(begun));
      try (ResultSet row = query.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  public List<OperationFacts> operations() throws SQLException {
    List<OperationFacts> operations = new ArrayList<>();
    try (Connection connection = cluster.connectAsOps();
        PreparedStatement query = connection.prepareStatement(OPERATIONS)) {
      query.setString(1, prefix);
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          operations.add(
              new OperationFacts(
                  row.getObject(1, UUID.class),
                  row.getObject(2, UUID.class),
                  row.getString(3),
                  row.getString(4),
                  row.getString(5)));
        }
      }
    }
    return operations;
  }

  /** Those of the ids whose rows are in the outbox. */
  public Set<UUID> present(Collection<UUID> ids) throws SQLException {
    Set<UUID> present = new HashSet<>();
    List<UUID> all = List.copyOf(ids);
    try (Connection connection = cluster.connectAsOps();
        PreparedStatement query = connection.prepareStatement(PRESENT)) {
      for (int from = 0; from < all.size(); from += PORTION) {
        List<UUID> portion = all.subList(from, Math.min(all.size(), from + PORTION));
        query.setArray(1, connection.createArrayOf("uuid", portion.toArray()));
        addIds(query, present);
      }
    }
    return present;
  }

  /** Events that stand in {@code parked_events}. */
  public Set<UUID> setAside() throws SQLException {
    Set<UUID> ids = new HashSet<>();
    try (Connection connection = cluster.connectAsOps();
        PreparedStatement query = connection.prepareStatement(SET_ASIDE)) {
      addIds(query, ids);
    }
    return ids;
  }

  private static void addIds(PreparedStatement query, Set<UUID> ids) throws SQLException {
    try (ResultSet row = query.executeQuery()) {
      while (row.next()) {
        ids.add(row.getObject(1, UUID.class));
      }
    }
  }
}

package dev.onceward.local.endtoend;

import dev.onceward.local.cluster.LocalCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What the database holds about the stores of one test, in every workspace. */
final class PipelineRows {

  private static final String OPERATIONS =
      """
      SELECT o.id, o.event_id, s.external_id, o.state, o.attempt
      FROM onceward.operations o JOIN onceward.stores s ON s.id::text = o.subject_id
      WHERE s.external_id LIKE ? || '%' ORDER BY o.id
      """;

  private static final String EVENTS =
      """
      SELECT e.id FROM onceward.outbox_events e JOIN onceward.stores s ON s.id::text = e.resource_id
      WHERE s.external_id LIKE ? || '%' ORDER BY e.id
      """;

  private static final String REQUESTS =
      """
      SELECT count(*) FROM onceward.idempotency_requests WHERE key LIKE ? || '%'
      """;

  private final LocalCluster cluster;
  private final String prefix;

  /**
   * @param prefix of the external ids and idempotency keys
   */
  PipelineRows(LocalCluster cluster, String prefix) {
    this.cluster = cluster;
    this.prefix = prefix;
  }

  List<OperationRow> operations() throws SQLException {
    return query(
        OPERATIONS,
        row ->
            new OperationRow(
                row.getObject(1, UUID.class),
                row.getObject(2, UUID.class),
                row.getString(3),
                row.getString(4),
                row.getInt(5)));
  }

  List<String> eventIds() throws SQLException {
    return query(EVENTS, row -> row.getString(1));
  }

  long idempotencyRequests() throws SQLException {
    return query(REQUESTS, row -> row.getLong(1)).get(0);
  }

  /** Operations that are not succeeded yet. */
  List<OperationRow> unfinished() throws SQLException {
    return operations().stream().filter(each -> !each.state().equals("succeeded")).toList();
  }

  private <T> List<T> query(String sql, RowReader<T> reader) throws SQLException {
    try (Connection connection = cluster.connectAsOps();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, prefix);
      List<T> rows = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          rows.add(reader.read(row));
        }
      }
      return rows;
    }
  }

  private interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }
}

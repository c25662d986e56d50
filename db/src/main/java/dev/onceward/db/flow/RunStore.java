package dev.onceward.db.flow;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Runs of the transaction's workspace. Stateless. */
public final class RunStore {

  private static final String COLUMNS =
      "id, flow, state, outcome, input, receipt_id, operation_id, created_at, updated_at, ended_at";

  private RunStore() {}

  /**
   * Inserts a run that a worker is to take on.
   *
   * @param runId version 7
   * @param input a JSON object without secrets
   * @param receiptId the receipt under which it is started, or null
   * @param operationId written in the same transaction
   */
  public static Run insert(
      Connection connection,
      UUID runId,
      Flow flow,
      String input,
      @Nullable UUID receiptId,
      UUID operationId)
      throws SQLException {
    String sql =
        """
        INSERT INTO onceward.runs (id, flow, input, receipt_id, operation_id) VALUES (?, ?, ?::json, ?, ?)
        RETURNING\s"""
            + COLUMNS;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, runId);
      statement.setString(2, flow.label());
      statement.setString(3, input);
      statement.setObject(4, receiptId, java.sql.Types.OTHER);
      statement.setObject(5, operationId);
      return one(statement)
          .orElseThrow(() -> new IllegalStateException("an insert returns its row"));
    }
  }

  /** The run, or empty if the workspace has none of that id. */
  public static Optional<Run> find(Connection connection, UUID runId) throws SQLException {
    return byId(connection, "SELECT " + COLUMNS + " FROM onceward.runs WHERE id = ?", runId);
  }

  /** The run, locked until the transaction ends. */
  public static Optional<Run> lock(Connection connection, UUID runId) throws SQLException {
    return byId(
        connection, "SELECT " + COLUMNS + " FROM onceward.runs WHERE id = ? FOR UPDATE", runId);
  }

  /** The run that was started under a receipt, or empty. */
  public static Optional<Run> findByReceipt(Connection connection, UUID receiptId)
      throws SQLException {
    return byId(
        connection,
        "SELECT "
            + COLUMNS
            + " FROM onceward.runs WHERE workspace_id = onceward.current_workspace() AND receipt_id = ?",
        receiptId);
  }

  /**
   * A page of runs, newest first.
   *
   * @param after the last id of the page before, or null for the first page
   */
  public static List<Run> list(Connection connection, @Nullable UUID after, int limit)
      throws SQLException {
    String sql =
        "SELECT "
            + COLUMNS
            + """
               FROM onceward.runs
              WHERE workspace_id = onceward.current_workspace() AND (?::uuid IS NULL OR id < ?)
              ORDER BY id DESC LIMIT ?
              """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, after, java.sql.Types.OTHER);
      statement.setObject(2, after, java.sql.Types.OTHER);
      statement.setInt(3, limit);
      List<Run> page = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          page.add(read(row));
        }
      }
      return page;
    }
  }

  /** A running run waits from now on; false if it was not running. */
  public static boolean awaitTodo(Connection connection, UUID runId) throws SQLException {
    String sql =
        "UPDATE onceward.runs SET state = 'waiting', updated_at = now() WHERE id = ? AND state = 'running'";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, runId);
      return statement.executeUpdate() == 1;
    }
  }

  /** A run ends from the state that is named; false if it was in another. */
  public static boolean end(Connection connection, UUID runId, RunState from, String outcome)
      throws SQLException {
    String sql =
        """
        UPDATE onceward.runs SET state = 'ended', outcome = ?, updated_at = now(), ended_at = now()
        WHERE id = ? AND state = ?
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, outcome);
      statement.setObject(2, runId);
      statement.setString(3, from.label());
      return statement.executeUpdate() == 1;
    }
  }

  private static Optional<Run> byId(Connection connection, String sql, UUID id)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, id);
      return one(statement);
    }
  }

  private static Optional<Run> one(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      return row.next() ? Optional.of(read(row)) : Optional.empty();
    }
  }

  private static Run read(ResultSet row) throws SQLException {
    Timestamp endedAt = row.getTimestamp("ended_at");
    return new Run(
        row.getObject("id", UUID.class),
        row.getString("flow"),
        RunState.ofLabel(row.getString("state")),
        row.getString("outcome"),
        row.getString("input"),
        row.getObject("receipt_id", UUID.class),
        row.getObject("operation_id", UUID.class),
        row.getTimestamp("created_at").toInstant(),
        row.getTimestamp("updated_at").toInstant(),
        endedAt == null ? null : endedAt.toInstant());
  }
}

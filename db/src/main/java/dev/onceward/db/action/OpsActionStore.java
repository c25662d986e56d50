package dev.onceward.db.action;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds to and reads {@code ops_actions}. Stateless; runs in the caller's transaction. */
public final class OpsActionStore {

  private static final String ADD =
      """
      INSERT INTO onceward.ops_actions (operator, command, arguments, state, result)
      VALUES (?, ?, ?, ?, ?)
      RETURNING id
      """;

  private static final String END =
      """
      INSERT INTO onceward.ops_actions (operator, command, arguments, state, started_id, result)
      SELECT s.operator, s.command, s.arguments, ?, s.id, ?
      FROM onceward.ops_actions s WHERE s.id = ? AND s.state = 'started'
      """;

  private static final String LIST =
      """
      SELECT id, acted_at, operator, database_role, host(client_address), command, arguments, state,
        started_id, result
      FROM onceward.ops_actions
      WHERE ?::bigint IS NULL OR id < ?::bigint
      ORDER BY id DESC LIMIT ?
      """;

  private OpsActionStore() {}

  /**
   * Notes a change that the same transaction makes.
   *
   * @param result what came of it
   * @return the row's id
   */
  public static long done(Connection connection, NewAction action, String result)
      throws SQLException {
    return add(connection, action, ActionState.DONE, NewAction.result(result));
  }

  /** Notes that a change outside of PostgreSQL begins; to be committed before it does. */
  public static long started(Connection connection, NewAction action) throws SQLException {
    return add(connection, action, ActionState.STARTED, null);
  }

  /**
   * Notes how a change ended.
   *
   * @param startedId what {@link #started} gave
   * @param state one of the three ends
   * @param result what came of it
   * @throws SQLException also if its end stands there already
   * @throws IllegalStateException if it has not been started
   */
  public static void ended(Connection connection, long startedId, ActionState state, String result)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(END)) {
      statement.setString(1, state.label());
      statement.setString(2, NewAction.result(result));
      statement.setLong(3, startedId);
      if (statement.executeUpdate() != 1) {
        throw new IllegalStateException("no action " + startedId + " has been started");
      }
    }
  }

  /**
   * The newest rows, newest first.
   *
   * @param before only rows older than this one; null for all
   */
  public static List<OpsAction> list(Connection connection, @Nullable Long before, int limit)
      throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(LIST)) {
      query.setObject(1, before);
      query.setObject(2, before);
      query.setInt(3, limit);
      try (ResultSet row = query.executeQuery()) {
        List<OpsAction> actions = new ArrayList<>();
        while (row.next()) {
          actions.add(action(row));
        }
        return actions;
      }
    }
  }

  private static long add(
      Connection connection, NewAction action, ActionState state, @Nullable String result)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ADD)) {
      statement.setString(1, action.operator());
      statement.setString(2, action.command());
      statement.setString(3, action.arguments());
      statement.setString(4, state.label());
      statement.setString(5, result);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private static OpsAction action(ResultSet row) throws SQLException {
    return new OpsAction(
        row.getLong("id"),
        row.getTimestamp("acted_at").toInstant(),
        row.getString("operator"),
        row.getString("database_role"),
        row.getString(5),
        row.getString("command"),
        row.getString("arguments"),
        ActionState.ofLabel(row.getString("state")),
        row.getObject("started_id", Long.class),
        row.getString("result"));
  }
}

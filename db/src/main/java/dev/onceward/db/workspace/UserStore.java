package dev.onceward.db.workspace;

import dev.onceward.db.UuidV7;
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

/** The users of the transaction's workspace. Stateless. */
public final class UserStore {
  private static final String COLUMNS =
      "id, workspace_id, name, role, disabled_at, created_at, updated_at";

  private UserStore() {}

  /**
   * Makes a user.
   *
   * @param name for people, 1 to 200 characters
   * @param role the service's database role is refused an installation administrator
   */
  public static UUID create(Connection connection, String name, Role role) throws SQLException {
    UUID userId = UuidV7.next();
    String sql = "INSERT INTO onceward.users (id, name, role) VALUES (?, ?, ?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, userId);
      statement.setString(2, name);
      statement.setString(3, role.label());
      statement.executeUpdate();
    }
    return userId;
  }

  /** The user of that id. */
  public static Optional<User> find(Connection connection, UUID id) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT " + COLUMNS + " FROM onceward.users WHERE id = ?")) {
      statement.setObject(1, id);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(read(row)) : Optional.empty();
      }
    }
  }

  /**
   * Users, newest first.
   *
   * @param after the last id of the page before, null for the first page
   */
  public static List<User> list(Connection connection, @Nullable UUID after, int limit)
      throws SQLException {
    String sql =
        "SELECT "
            + COLUMNS
            + " FROM onceward.users WHERE ?::uuid IS NULL OR id < ?::uuid ORDER BY id DESC LIMIT ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, after);
      statement.setObject(2, after);
      statement.setInt(3, limit);
      try (ResultSet row = statement.executeQuery()) {
        List<User> users = new ArrayList<>();
        while (row.next()) {
          users.add(read(row));
        }
        return users;
      }
    }
  }

  /**
   * Changes a user; their name, role and whether they may call become those given.
   *
   * @return the user as changed, empty when there is none of that id or this database role may not
   *     change them
   */
  public static Optional<User> update(
      Connection connection, UUID id, String name, Role role, boolean disabled)
      throws SQLException {
    String sql =
        """
        UPDATE onceward.users
        SET name = ?, role = ?, updated_at = now(),
          disabled_at = CASE WHEN ? THEN coalesce(disabled_at, now()) END
        WHERE id = ?
        RETURNING\s"""
            + COLUMNS;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, name);
      statement.setString(2, role.label());
      statement.setBoolean(3, disabled);
      statement.setObject(4, id);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(read(row)) : Optional.empty();
      }
    }
  }

  /**
   * Whether somebody can still administer the workspace: an administrator who may call and has a
   * key that neither is revoked nor ends. Call {@link WorkspaceStore#lock} first, or two
   * transactions could each count on the other's administrator.
   */
  public static boolean hasAdministrator(Connection connection) throws SQLException {
    String sql =
        """
        SELECT EXISTS (
          SELECT FROM onceward.users u
          JOIN onceward.access_keys k ON k.workspace_id = u.workspace_id AND k.user_id = u.id
          WHERE u.role <> 'member' AND u.disabled_at IS NULL AND k.revoked_at IS NULL AND k.expires_at IS NULL)
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getBoolean(1);
    }
  }

  private static User read(ResultSet row) throws SQLException {
    Timestamp disabledAt = row.getTimestamp("disabled_at");
    return new User(
        row.getObject("id", UUID.class),
        row.getObject("workspace_id", UUID.class),
        row.getString("name"),
        Role.stored(row.getString("role")),
        disabledAt == null ? null : disabledAt.toInstant(),
        row.getTimestamp("created_at").toInstant(),
        row.getTimestamp("updated_at").toInstant());
  }
}

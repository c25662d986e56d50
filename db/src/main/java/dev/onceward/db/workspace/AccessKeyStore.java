package dev.onceward.db.workspace;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Access keys. Stateless. */
public final class AccessKeyStore {

  private static final String DETAILS =
      """
      SELECT k.key_id, k.user_id, k.name, k.created_at, k.expires_at, k.replaced_by, k.revoked_at,
        k.last_used_at,
        CASE WHEN k.revoked_at IS NOT NULL THEN 'REVOKED' WHEN k.expires_at IS NULL THEN 'ACTIVE'
          WHEN k.expires_at > now() THEN 'ENDING' ELSE 'ENDED' END AS state
      FROM onceward.access_keys k""";

  private AccessKeyStore() {}

  /**
   * Makes a key for a user of the transaction's workspace.
   *
   * @param name for people, 1 to 200 characters
   * @return the token, which cannot be had again
   */
  public static AccessKeyToken create(Connection connection, UUID userId, String name)
      throws SQLException {
    AccessKeyToken token = AccessKeyToken.generate();
    String sql =
        "INSERT INTO onceward.access_keys (key_id, user_id, secret_hash, name) VALUES (?, ?, ?, ?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, token.keyId());
      statement.setObject(2, userId);
      statement.setBytes(3, token.secretHash());
      statement.setString(4, name);
      statement.executeUpdate();
    }
    return token;
  }

  /**
   * The key of that id in any workspace, valid or not. Needs no workspace: it is how one is found.
   */
  public static Optional<AccessKey> find(Connection connection, String keyId) throws SQLException {
    String sql =
        "SELECT workspace_id, user_id, role, secret_hash, valid FROM onceward.find_access_key(?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, keyId);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return Optional.empty();
        }
        return Optional.of(
            new AccessKey(
                keyId,
                row.getObject(1, UUID.class),
                row.getObject(2, UUID.class),
                Role.stored(row.getString(3)),
                row.getBytes(4),
                row.getBoolean(5)));
      }
    }
  }

  /**
   * Takes a key of the transaction's workspace back; false if there is none or it was taken back
   * before.
   */
  public static boolean revoke(Connection connection, String keyId) throws SQLException {
    String sql =
        "UPDATE onceward.access_keys SET revoked_at = now() WHERE key_id = ? AND revoked_at IS NULL";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, keyId);
      return statement.executeUpdate() == 1;
    }
  }

  /**
   * Lets a key of the transaction's workspace end after an overlap with the one that replaces it;
   * false if there is none, it was revoked, or it was replaced before.
   */
  public static boolean replace(
      Connection connection, String keyId, String replacement, Duration overlap)
      throws SQLException {
    String sql =
        """
        UPDATE onceward.access_keys
        SET expires_at = now() + make_interval(secs => ?), replaced_by = ?
        WHERE key_id = ? AND revoked_at IS NULL AND expires_at IS NULL
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setDouble(1, overlap.toMillis() / 1000.0);
      statement.setString(2, replacement);
      statement.setString(3, keyId);
      return statement.executeUpdate() == 1;
    }
  }

  /** A key of the transaction's workspace. */
  public static Optional<KeyDetails> details(Connection connection, String keyId)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(DETAILS + " WHERE k.key_id = ?")) {
      statement.setString(1, keyId);
      return details(statement).stream().findAny();
    }
  }

  /**
   * Keys of the transaction's workspace, newest first.
   *
   * @param userId whose, null for everybody's
   * @param after the last id of the page before, null for the first page
   */
  public static List<KeyDetails> list(
      Connection connection, @Nullable UUID userId, @Nullable String after, int limit)
      throws SQLException {
    String sql =
        DETAILS
            + """
             WHERE (?::uuid IS NULL OR k.user_id = ?::uuid)
              AND (?::text IS NULL OR (k.created_at, k.key_id) < (
                SELECT last.created_at, last.key_id FROM onceward.access_keys last WHERE last.key_id = ?))
            ORDER BY k.created_at DESC, k.key_id DESC LIMIT ?
            """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, userId);
      statement.setObject(2, userId);
      statement.setString(3, after);
      statement.setString(4, after);
      statement.setInt(5, limit);
      return details(statement);
    }
  }

  /**
   * Notes that keys of any workspaces were used, except those for which that was noted within the
   * last minute. Needs no workspace.
   *
   * @param usedAt by key id
   * @return how many were noted
   */
  public static int noteUse(Connection connection, Map<String, Instant> usedAt)
      throws SQLException {
    List<String> keyIds = new ArrayList<>(usedAt.keySet());
    String[] times =
        keyIds.stream().map(keyId -> String.valueOf(usedAt.get(keyId))).toArray(String[]::new);
    String sql = "SELECT onceward.note_access_key_use(?, ?::timestamptz[])";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setArray(1, connection.createArrayOf("text", keyIds.toArray()));
      statement.setArray(2, connection.createArrayOf("text", times));
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  private static List<KeyDetails> details(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      List<KeyDetails> keys = new ArrayList<>();
      while (row.next()) {
        keys.add(
            new KeyDetails(
                row.getString("key_id"),
                row.getObject("user_id", UUID.class),
                row.getString("name"),
                KeyDetails.State.valueOf(row.getString("state")),
                row.getTimestamp("created_at").toInstant(),
                instant(row, "expires_at"),
                row.getString("replaced_by"),
                instant(row, "revoked_at"),
                instant(row, "last_used_at")));
      }
      return keys;
    }
  }

  private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    Timestamp timestamp = row.getTimestamp(column);
    return timestamp == null ? null : timestamp.toInstant();
  }
}

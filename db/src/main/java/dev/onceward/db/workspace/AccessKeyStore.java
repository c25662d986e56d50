package dev.onceward.db.workspace;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/** Access keys. Stateless. */
public final class AccessKeyStore {

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
}

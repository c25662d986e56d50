package dev.onceward.db.store;

import dev.onceward.db.UuidV7;
import dev.onceward.db.secret.CredentialCipher;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Store authorisations of the transaction's workspace. Thread-safe. */
public final class StoreAuthorizationStore {

  private static final String COLUMNS =
      "id, platform, external_id, name, credential_version, verification, verified_at, account_name, created_at, updated_at";

  private final CredentialCipher cipher;

  /** A store that keeps credentials encrypted by {@code cipher}. */
  public StoreAuthorizationStore(CredentialCipher cipher) {
    this.cipher = cipher;
  }

  /**
   * Inserts an authorisation with its first credentials.
   *
   * @param credentials a JSON object
   * @return the new row, or empty if the workspace has one of that platform and external id
   */
  public Optional<StoreAuthorization> insert(
      Connection connection, String platform, String externalId, String name, String credentials)
      throws SQLException {
    UUID id = UuidV7.next();
    String sql =
        """
        INSERT INTO onceward.stores (id, platform, external_id, name, credentials) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT ON CONSTRAINT stores_external_id DO NOTHING
        RETURNING\s"""
            + COLUMNS;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, id);
      statement.setString(2, platform);
      statement.setString(3, externalId);
      statement.setString(4, name);
      statement.setBytes(5, cipher.encrypt(credentials, binding(id)));
      return one(statement);
    }
  }

  /**
   * Replaces the credentials; they are to be verified anew.
   *
   * @return the changed row, or empty if the workspace has no such store
   */
  public Optional<StoreAuthorization> replaceCredentials(
      Connection connection, UUID storeId, String credentials) throws SQLException {
    String sql =
        """
        UPDATE onceward.stores
        SET credentials = ?, credential_version = credential_version + 1, verification = 'pending', verified_at = NULL,
          updated_at = now()
        WHERE id = ?
        RETURNING\s"""
            + COLUMNS;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setBytes(1, cipher.encrypt(credentials, binding(storeId)));
      statement.setObject(2, storeId);
      return one(statement);
    }
  }

  /** The authorisation, or empty if the workspace has none of that id. */
  public Optional<StoreAuthorization> find(Connection connection, UUID storeId)
      throws SQLException {
    String sql = "SELECT " + COLUMNS + " FROM onceward.stores WHERE id = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, storeId);
      return one(statement);
    }
  }

  /**
   * A page of authorisations, newest first.
   *
   * @param after the last id of the page before, or null for the first page
   */
  public List<StoreAuthorization> list(Connection connection, @Nullable UUID after, int limit)
      throws SQLException {
    String sql =
        "SELECT "
            + COLUMNS
            + """
               FROM onceward.stores
              WHERE workspace_id = onceward.current_workspace() AND (?::uuid IS NULL OR id < ?)
              ORDER BY id DESC LIMIT ?
              """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, after, java.sql.Types.OTHER);
      statement.setObject(2, after, java.sql.Types.OTHER);
      statement.setInt(3, limit);
      List<StoreAuthorization> page = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          page.add(read(row));
        }
      }
      return page;
    }
  }

  /**
   * The current credentials, decrypted, or empty if the workspace has no such store.
   *
   * @throws dev.onceward.db.secret.UndecryptableException if they cannot be read
   */
  public Optional<StoreCredentials> readCredentials(Connection connection, UUID storeId)
      throws SQLException {
    String sql =
        "SELECT platform, external_id, credential_version, credentials FROM onceward.stores WHERE id = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, storeId);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return Optional.empty();
        }
        String credentials = cipher.decrypt(row.getBytes(4), binding(storeId));
        return Optional.of(
            new StoreCredentials(
                storeId, row.getString(1), row.getString(2), row.getInt(3), credentials));
      }
    }
  }

  /** The version of the current credentials, or empty if the workspace has no such store. */
  public OptionalInt credentialVersion(Connection connection, UUID storeId) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT credential_version FROM onceward.stores WHERE id = ?")) {
      statement.setObject(1, storeId);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? OptionalInt.of(row.getInt(1)) : OptionalInt.empty();
      }
    }
  }

  /**
   * Records what the platform said of one version of the credentials.
   *
   * @param accountName what the platform calls the shop, or null
   * @return false if the credentials were replaced meanwhile: the answer is about others
   */
  public boolean recordVerification(
      Connection connection, UUID storeId, int version, boolean valid, @Nullable String accountName)
      throws SQLException {
    String sql =
        """
        UPDATE onceward.stores
        SET verification = CASE WHEN ? THEN 'verified' ELSE 'invalid' END,
          verified_at = CASE WHEN ? THEN now() END, account_name = ?, updated_at = now()
        WHERE id = ? AND credential_version = ?
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setBoolean(1, valid);
      statement.setBoolean(2, valid);
      statement.setString(3, accountName);
      statement.setObject(4, storeId);
      statement.setInt(5, version);
      return statement.executeUpdate() == 1;
    }
  }

  private static String binding(UUID storeId) {
    return "store " + storeId;
  }

  private static Optional<StoreAuthorization> one(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      return row.next() ? Optional.of(read(row)) : Optional.empty();
    }
  }

  private static StoreAuthorization read(ResultSet row) throws SQLException {
    Timestamp verifiedAt = row.getTimestamp("verified_at");
    return new StoreAuthorization(
        row.getObject("id", UUID.class),
        row.getString("platform"),
        row.getString("external_id"),
        row.getString("name"),
        row.getInt("credential_version"),
        row.getString("verification"),
        verifiedAt == null ? null : verifiedAt.toInstant(),
        row.getString("account_name"),
        row.getTimestamp("created_at").toInstant(),
        row.getTimestamp("updated_at").toInstant());
  }
}

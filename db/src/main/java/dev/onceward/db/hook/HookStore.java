package dev.onceward.db.hook;

import dev.onceward.db.UuidV7;
import dev.onceward.db.secret.CredentialCipher;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Hooks of the transaction's workspace, and the way in from a delivery. Thread-safe. */
public final class HookStore {

  private final CredentialCipher cipher;

  /** A store that keeps secrets encrypted by {@code cipher}. */
  public HookStore(CredentialCipher cipher) {
    this.cipher = cipher;
  }

  /**
   * Makes a hook with a new secret.
   *
   * @param name for people, 1 to 200 characters
   * @param flow what {@link HookAction#START_RUN} starts; null for another action
   */
  public NewHook create(
      Connection connection, String name, HookAction action, @Nullable String flow)
      throws SQLException {
    UUID id = UuidV7.next();
    HookSecret secret = HookSecret.generate();
    String sql =
        "INSERT INTO onceward.hooks (id, name, action, flow, secret) VALUES (?, ?, ?, ?, ?) RETURNING "
            + HookRows.COLUMNS;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, id);
      statement.setString(2, name);
      statement.setString(3, action.label());
      statement.setString(4, flow);
      statement.setBytes(5, cipher.encrypt(secret.reveal(), binding(id)));
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return new NewHook(HookRows.read(row), secret);
      }
    }
  }

  /**
   * Gives a hook a new secret. The present one counts for a while yet; the one before, if there is
   * one, ends now.
   *
   * @param overlap how long the present secret counts; zero ends it at once
   * @return empty if the workspace has no such hook
   */
  public Optional<NewHook> rotateSecret(Connection connection, UUID hookId, Duration overlap)
      throws SQLException {
    HookSecret secret = HookSecret.generate();
    String sql =
        """
        UPDATE onceward.hooks SET previous_secret = secret, previous_secret_expires_at = now() + make_interval(secs => ?),
          secret = ?, updated_at = now()
        WHERE id = ? RETURNING\s"""
            + HookRows.COLUMNS;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setDouble(1, overlap.toMillis() / 1000.0);
      statement.setBytes(2, cipher.encrypt(secret.reveal(), binding(hookId)));
      statement.setObject(3, hookId);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(new NewHook(HookRows.read(row), secret)) : Optional.empty();
      }
    }
  }

  /** Lets deliveries in, or refuses them; empty if the workspace has no such hook. */
  public static Optional<Hook> setEnabled(Connection connection, UUID hookId, boolean enabled)
      throws SQLException {
    String sql =
        "UPDATE onceward.hooks SET enabled = ?, updated_at = now() WHERE id = ? RETURNING "
            + HookRows.COLUMNS;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setBoolean(1, enabled);
      statement.setObject(2, hookId);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(HookRows.read(row)) : Optional.empty();
      }
    }
  }

  /** Deletes a hook and its receipts; false if the workspace has no such hook. */
  public static boolean delete(Connection connection, UUID hookId) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("DELETE FROM onceward.hooks WHERE id = ?")) {
      statement.setObject(1, hookId);
      return statement.executeUpdate() == 1;
    }
  }

  /** The hook, or empty if the workspace has none of that id. */
  public static Optional<Hook> find(Connection connection, UUID hookId) throws SQLException {
    String sql = "SELECT " + HookRows.COLUMNS + " FROM onceward.hooks WHERE id = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, hookId);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(HookRows.read(row)) : Optional.empty();
      }
    }
  }

  /**
   * A page of the workspace's hooks, newest first.
   *
   * @param after the last id of the page before, or null for the first page
   */
  public static List<Hook> list(Connection connection, @Nullable UUID after, int limit)
      throws SQLException {
    String sql =
        "SELECT "
            + HookRows.COLUMNS
            + """
               FROM onceward.hooks
              WHERE workspace_id = onceward.current_workspace() AND (?::uuid IS NULL OR id < ?)
              ORDER BY id DESC LIMIT ?
              """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, after, java.sql.Types.OTHER);
      statement.setObject(2, after, java.sql.Types.OTHER);
      statement.setInt(3, limit);
      List<Hook> page = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          page.add(HookRows.read(row));
        }
      }
      return page;
    }
  }

  /**
   * The hook of that id in any workspace, enabled or not. Needs no workspace: it is how one is
   * found.
   *
   * @throws dev.onceward.db.secret.UndecryptableException if its secrets cannot be read
   */
  public Optional<HookAddress> findAddress(Connection connection, UUID hookId) throws SQLException {
    String sql =
        "SELECT workspace_id, action, flow, enabled, secret, previous_secret FROM onceward.find_hook(?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, hookId);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return Optional.empty();
        }
        List<HookSecret> secrets = new ArrayList<>();
        for (String column : List.of("secret", "previous_secret")) {
          byte[] encrypted = row.getBytes(column);
          if (encrypted != null) {
            secrets.add(HookSecret.of(cipher.decrypt(encrypted, binding(hookId))));
          }
        }
        return Optional.of(
            new HookAddress(
                hookId,
                row.getObject("workspace_id", UUID.class),
                HookRows.action(row),
                row.getString("flow"),
                row.getBoolean("enabled"),
                secrets));
      }
    }
  }

  private static String binding(UUID hookId) {
    return "hook " + hookId;
  }
}

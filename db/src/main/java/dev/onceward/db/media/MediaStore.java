package dev.onceward.db.media;

import dev.onceward.db.UuidV7;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Media rows of the transaction's workspace. Stateless. */
public final class MediaStore {

  private static final String COLUMNS =
      "id, file_name, declared_type, declared_size_bytes, status, size_bytes, sha256, detected_type,"
          + " width_pixels, height_pixels, rejection_code, created_at, updated_at";

  private MediaStore() {}

  /**
   * Registers an upload.
   *
   * @param fileName null for none
   */
  public static Media insert(
      Connection connection, @Nullable String fileName, String declaredType, long declaredSizeBytes)
      throws SQLException {
    String sql =
        """
        INSERT INTO onceward.media (id, file_name, declared_type, declared_size_bytes) VALUES (?, ?, ?, ?)
        RETURNING\s"""
            + COLUMNS;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, UuidV7.next());
      statement.setString(2, fileName);
      statement.setString(3, declaredType);
      statement.setLong(4, declaredSizeBytes);
      return one(statement).orElseThrow();
    }
  }

  /** Those of the ids that are media of the workspace. */
  public static Set<UUID> existing(Connection connection, List<UUID> ids) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT id FROM onceward.media WHERE id = ANY (?)")) {
      statement.setArray(1, connection.createArrayOf("uuid", ids.toArray()));
      Set<UUID> existing = new HashSet<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          existing.add(row.getObject(1, UUID.class));
        }
      }
      return existing;
    }
  }

  /**
   * Adds a media whose bytes were fetched and inspected here; its bytes are to follow in the same
   * transaction.
   *
   * @param fileName null for none
   */
  public static Media insertReady(
      Connection connection,
      @Nullable String fileName,
      SpooledContent content,
      MediaFindings findings)
      throws SQLException {
    String sql =
        """
        INSERT INTO onceward.media
          (id, file_name, status, size_bytes, sha256, detected_type, width_pixels, height_pixels)
        VALUES (?, ?, 'ready', ?, ?, ?, ?, ?)
        RETURNING\s"""
            + COLUMNS;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, UuidV7.next());
      statement.setString(2, fileName);
      statement.setLong(3, content.sizeBytes());
      statement.setBytes(4, content.sha256());
      statement.setString(5, findings.detectedType());
      statement.setObject(6, findings.widthPixels(), Types.INTEGER);
      statement.setObject(7, findings.heightPixels(), Types.INTEGER);
      return one(statement).orElseThrow();
    }
  }

  /** The media, or empty if the workspace has none of that id. */
  public static Optional<Media> find(Connection connection, UUID mediaId) throws SQLException {
    return find(connection, mediaId, "");
  }

  /** The media under a lock that lasts to the end of the transaction. */
  public static Optional<Media> findLocked(Connection connection, UUID mediaId)
      throws SQLException {
    return find(connection, mediaId, " FOR UPDATE");
  }

  private static Optional<Media> find(Connection connection, UUID mediaId, String lock)
      throws SQLException {
    String sql = "SELECT " + COLUMNS + " FROM onceward.media WHERE id = ?" + lock;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, mediaId);
      return one(statement);
    }
  }

  /**
   * A page of media, newest first.
   *
   * @param after the last id of the page before, or null for the first page
   */
  public static List<Media> list(Connection connection, @Nullable UUID after, int limit)
      throws SQLException {
    String sql =
        "SELECT "
            + COLUMNS
            + """
               FROM onceward.media
              WHERE workspace_id = onceward.current_workspace() AND (?::uuid IS NULL OR id < ?)
              ORDER BY id DESC LIMIT ?
              """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, after, Types.OTHER);
      statement.setObject(2, after, Types.OTHER);
      statement.setInt(3, limit);
      List<Media> page = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          page.add(read(row));
        }
      }
      return page;
    }
  }

  /**
   * Records that these bytes are the media's, in the transaction that stores them.
   *
   * @return the changed row, or empty if the media takes no content any more or does not exist
   */
  public static Optional<Media> receive(Connection connection, UUID mediaId, SpooledContent content)
      throws SQLException {
    String sql =
        """
        UPDATE onceward.media SET status = 'uploaded', size_bytes = ?, sha256 = ?, updated_at = now()
        WHERE id = ? AND status IN ('awaiting_content', 'uploaded')
        RETURNING\s"""
            + COLUMNS;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, content.sizeBytes());
      statement.setBytes(2, content.sha256());
      statement.setObject(3, mediaId);
      return one(statement);
    }
  }

  /**
   * Closes the upload: from now on the bytes stay as they are.
   *
   * @return the changed row, or empty if the media is not {@code uploaded} or does not exist
   */
  public static Optional<Media> complete(Connection connection, UUID mediaId) throws SQLException {
    String sql =
        """
        UPDATE onceward.media SET status = 'processing', updated_at = now() WHERE id = ? AND status = 'uploaded'
        RETURNING\s"""
            + COLUMNS;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, mediaId);
      return one(statement);
    }
  }

  /**
   * Records what the inspection found.
   *
   * @param rejectionCode why the media is rejected; null if it is ready
   * @return false if the media is not {@code processing}: somebody else was quicker
   */
  public static boolean recordInspection(
      Connection connection, UUID mediaId, MediaFindings findings, @Nullable String rejectionCode)
      throws SQLException {
    boolean ready = rejectionCode == null;
    String sql =
        """
        UPDATE onceward.media
        SET status = ?, detected_type = ?, width_pixels = ?, height_pixels = ?, rejection_code = ?, updated_at = now()
        WHERE id = ? AND status = 'processing'
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, (ready ? MediaStatus.READY : MediaStatus.REJECTED).label());
      statement.setString(2, findings.detectedType());
      statement.setObject(3, ready ? findings.widthPixels() : null, Types.INTEGER);
      statement.setObject(4, ready ? findings.heightPixels() : null, Types.INTEGER);
      statement.setString(5, rejectionCode);
      statement.setObject(6, mediaId);
      return statement.executeUpdate() == 1;
    }
  }

  private static Optional<Media> one(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      return row.next() ? Optional.of(read(row)) : Optional.empty();
    }
  }

  private static Media read(ResultSet row) throws SQLException {
    byte[] sha256 = row.getBytes("sha256");
    return new Media(
        row.getObject("id", UUID.class),
        row.getString("file_name"),
        row.getString("declared_type"),
        row.getObject("declared_size_bytes", Long.class),
        MediaStatus.of(row.getString("status")),
        row.getObject("size_bytes", Long.class),
        sha256 == null ? null : HexFormat.of().formatHex(sha256),
        row.getString("detected_type"),
        row.getObject("width_pixels", Integer.class),
        row.getObject("height_pixels", Integer.class),
        row.getString("rejection_code"),
        row.getTimestamp("created_at").toInstant(),
        row.getTimestamp("updated_at").toInstant());
  }
}

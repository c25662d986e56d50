package dev.onceward.db.media;

import java.io.IOException;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/** The bytes of media, in numbered chunks. Needs room for one chunk at a time. Stateless. */
public final class MediaContentStore {

  /** The size of every chunk but the last; the table's CHECK allows no more. */
  public static final int CHUNK_BYTES = 256 * 1024;

  private MediaContentStore() {}

  /**
   * Puts these bytes in the place of whatever the media had. The caller holds the lock of the
   * media's row or has just inserted it.
   *
   * @throws IOException if the temporary file cannot be read
   */
  public static void replace(Connection connection, UUID mediaId, SpooledContent content)
      throws SQLException, IOException {
    try (PreparedStatement delete =
        connection.prepareStatement("DELETE FROM onceward.media_chunks WHERE media_id = ?")) {
      delete.setObject(1, mediaId);
      delete.executeUpdate();
    }
    String sql = "INSERT INTO onceward.media_chunks (media_id, number, content) VALUES (?, ?, ?)";
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      insert.setObject(1, mediaId);
      for (int number = 0; ; number++) {
        byte[] chunk = content.read((long) number * CHUNK_BYTES, CHUNK_BYTES);
        if (chunk.length == 0) {
          return;
        }
        insert.setInt(2, number);
        insert.setBytes(3, chunk);
        insert.executeUpdate();
      }
    }
  }

  /**
   * One chunk.
   *
   * @param number from 0
   * @return empty past the last one
   */
  public static Optional<byte[]> read(Connection connection, UUID mediaId, int number)
      throws SQLException {
    String sql = "SELECT content FROM onceward.media_chunks WHERE media_id = ? AND number = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, mediaId);
      statement.setInt(2, number);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(row.getBytes(1)) : Optional.empty();
      }
    }
  }

  /** Writes all bytes in their order. */
  public static void copyTo(Connection connection, UUID mediaId, OutputStream target)
      throws SQLException, IOException {
    for (int number = 0; ; number++) {
      Optional<byte[]> chunk = read(connection, mediaId, number);
      if (chunk.isEmpty()) {
        return;
      }
      target.write(chunk.get());
    }
  }
}

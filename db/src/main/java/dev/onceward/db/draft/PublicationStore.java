package dev.onceward.db.draft;

import dev.onceward.db.operation.OperationState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Publications of the transaction's workspace. Stateless. */
public final class PublicationStore {

  /** The kind of a publication's operation. */
  public static final String OPERATION_KIND = "publish_listing";

  /** The type of its subject, which the unique index works on: the draft. */
  public static final String SUBJECT_TYPE = "draft";

  /** The unique index that refuses a second operation of a draft while one is active or done. */
  public static final String ONE_PER_DRAFT = "operations_one_publication_per_draft";

  private static final String SELECT =
      """
      SELECT p.id, p.draft_id, p.operation_id, o.state, p.draft_revision, p.store_id, p.title, p.description, p.price,
        p.media_ids, p.listing_id, p.published_at, p.created_at
      FROM onceward.publications p
      JOIN onceward.operations o ON o.workspace_id = p.workspace_id AND o.id = p.operation_id
      """;

  private PublicationStore() {}

  /** Inserts a publication of the draft as it is; the operation was written before. */
  public static void insert(
      Connection connection, UUID publicationId, UUID operationId, Draft draft)
      throws SQLException {
    String sql =
        """
        INSERT INTO onceward.publications (id, draft_id, operation_id, draft_revision, store_id, title, description,
          price, media_ids)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, publicationId);
      statement.setObject(2, draft.id());
      statement.setObject(3, operationId);
      statement.setInt(4, draft.revision());
      ContentColumns.bind(statement, 5, draft.content());
      statement.executeUpdate();
    }
  }

  /** The publication, or empty if the workspace has none of that id. */
  public static Optional<Publication> find(Connection connection, UUID publicationId)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SELECT + "WHERE p.id = ?")) {
      statement.setObject(1, publicationId);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(read(row)) : Optional.empty();
      }
    }
  }

  /**
   * A page of publications, newest first.
   *
   * @param draftId only those of this draft, or null
   * @param after the last id of the page before, or null for the first page
   */
  public static List<Publication> list(
      Connection connection, @Nullable UUID draftId, @Nullable UUID after, int limit)
      throws SQLException {
    String sql =
        SELECT
            + """
              WHERE p.workspace_id = onceward.current_workspace() AND (?::uuid IS NULL OR p.draft_id = ?)
                AND (?::uuid IS NULL OR p.id < ?)
              ORDER BY p.id DESC LIMIT ?
              """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, draftId, Types.OTHER);
      statement.setObject(2, draftId, Types.OTHER);
      statement.setObject(3, after, Types.OTHER);
      statement.setObject(4, after, Types.OTHER);
      statement.setInt(5, limit);
      List<Publication> page = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          page.add(read(row));
        }
      }
      return page;
    }
  }

  /**
   * Records what the platform made of it.
   *
   * @param listingId the platform's name of it, 1 to 200 characters
   * @return false if the workspace has no such publication
   */
  public static boolean recordListing(Connection connection, UUID publicationId, String listingId)
      throws SQLException {
    String sql =
        "UPDATE onceward.publications SET listing_id = ?, published_at = now() WHERE id = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, listingId);
      statement.setObject(2, publicationId);
      return statement.executeUpdate() == 1;
    }
  }

  private static Publication read(ResultSet row) throws SQLException {
    Timestamp publishedAt = row.getTimestamp("published_at");
    return new Publication(
        row.getObject("id", UUID.class),
        row.getObject("draft_id", UUID.class),
        row.getObject("operation_id", UUID.class),
        OperationState.ofLabel(row.getString("state")),
        row.getInt("draft_revision"),
        ContentColumns.read(row),
        row.getString("listing_id"),
        publishedAt == null ? null : publishedAt.toInstant(),
        row.getTimestamp("created_at").toInstant());
  }
}

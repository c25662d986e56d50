package dev.onceward.db.receipt;

import dev.onceward.db.Database;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The state machine of receipts over one table. Immutable and thread-safe. */
public final class Receipts {

  private static final String PROCESSING = "processing";
  private static final String ACCEPTED = "accepted";
  private static final String REJECTED = "rejected";

  private final ReceiptStatements sql;
  private final ReceiptTable table;

  /** The receipts of a table. */
  public Receipts(ReceiptTable table) {
    this.table = table;
    this.sql = new ReceiptStatements(table);
  }

  /**
   * Claims a key in a transaction of its own, which is committed when this returns.
   *
   * @throws SQLException if a statement or the commit fails; the claim may then stand all the same,
   *     and is given up when it is stale
   */
  public ReceiptClaim claim(Database database, UUID workspaceId, ReceiptRequest request)
      throws SQLException {
    return database.inWorkspace(workspaceId, connection -> claim(connection, request, null));
  }

  /**
   * Claims a key in the caller's transaction, which must be committed before the work begins.
   *
   * @param now null for the database's clock; another only in tests
   */
  public ReceiptClaim claim(Connection connection, ReceiptRequest request, @Nullable Instant now)
      throws SQLException {
    if (request.claimValues().size() != table.claimColumns().size()) {
      throw new IllegalArgumentException(
          "%s takes %s with each claim".formatted(table.name(), table.claimColumns()));
    }
    Optional<ReceiptClaim> first = insert(connection, request, now);
    if (first.isPresent()) {
      return first.get();
    }
    // A statement of its own: the snapshot of the insert may be older than the row it met.
    Optional<Found> found = find(connection, request, now);
    return found.isPresent()
        ? judge(connection, request, found.get(), now)
        : new ReceiptClaim.Busy();
  }

  private ReceiptClaim judge(
      Connection connection, ReceiptRequest request, Found found, @Nullable Instant now)
      throws SQLException {
    Fingerprint fingerprint = request.fingerprint();
    String keyId = found.fingerprintKeyId();
    byte[] stored = found.fingerprint();
    if (fingerprint != null
        && keyId != null
        && stored != null
        && !found.status().equals(REJECTED)) {
      byte[] ours = fingerprint.under(keyId);
      if (ours == null) {
        return new ReceiptClaim.KeyMissing(keyId);
      }
      if (!MessageDigest.isEqual(ours, stored)) {
        return new ReceiptClaim.Mismatch();
      }
    }
    if (found.status().equals(ACCEPTED)) {
      return new ReceiptClaim.Duplicate(found.id(), found.runId(), found.todoId());
    }
    boolean dead = found.status().equals(PROCESSING) && found.stale();
    if (!dead && !found.status().equals(REJECTED)) {
      return new ReceiptClaim.Busy();
    }
    return takeOver(connection, request, found, now)
        ? new ReceiptClaim.Claimed(found.id(), found.number() + 1, dead)
        : new ReceiptClaim.Busy();
  }

  /**
   * Finishes a claim as accepted, best in the transaction of its work.
   *
   * @param runId what it led to; one of the two is not null
   * @return false if the claim was taken over, finished or deleted: nothing changed, and whatever
   *     was written for it is to be rolled back
   */
  public boolean accept(
      Connection connection,
      ReceiptClaim.Claimed claim,
      @Nullable UUID runId,
      @Nullable UUID todoId)
      throws SQLException {
    return finish(connection, claim, ACCEPTED, null, runId, todoId);
  }

  /**
   * Finishes a claim as rejected, so that the key may be used again.
   *
   * @param detail the reason, 1 to 500 characters without secrets
   * @return false as in {@link #accept}
   */
  public boolean reject(Connection connection, ReceiptClaim.Claimed claim, String detail)
      throws SQLException {
    return finish(connection, claim, REJECTED, detail, null, null);
  }

  private boolean finish(
      Connection connection,
      ReceiptClaim.Claimed claim,
      String status,
      @Nullable String detail,
      @Nullable UUID runId,
      @Nullable UUID todoId)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql.finish())) {
      statement.setString(1, status);
      statement.setString(2, detail);
      statement.setObject(3, runId, Types.OTHER);
      statement.setObject(4, todoId, Types.OTHER);
      statement.setObject(5, claim.receiptId());
      statement.setInt(6, claim.number());
      return statement.executeUpdate() == 1;
    }
  }

  private Optional<ReceiptClaim> insert(
      Connection connection, ReceiptRequest request, @Nullable Instant now) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql.insert())) {
      statement.setObject(1, request.ownerId());
      statement.setString(2, request.key());
      bindClaim(statement, 3, request, now);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(new ReceiptClaim.Claimed(row.getObject(1, UUID.class), 1, false))
            : Optional.empty();
      }
    }
  }

  private boolean takeOver(
      Connection connection, ReceiptRequest request, Found found, @Nullable Instant now)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql.takeOver())) {
      int next = bindClaim(statement, 1, request, now);
      statement.setObject(next, found.id());
      statement.setString(next + 1, found.status());
      statement.setTimestamp(next + 2, found.receivedAt());
      statement.setInt(next + 3, found.number());
      return statement.executeUpdate() == 1;
    }
  }

  /** Binds what every claim sets; returns the next parameter's index. */
  private static int bindClaim(
      PreparedStatement statement, int first, ReceiptRequest request, @Nullable Instant now)
      throws SQLException {
    Fingerprint fingerprint = request.fingerprint();
    int index = first;
    statement.setBytes(
        index++, fingerprint == null ? null : fingerprint.under(fingerprint.currentKeyId()));
    statement.setString(index++, fingerprint == null ? null : fingerprint.currentKeyId());
    statement.setTimestamp(index++, now == null ? null : Timestamp.from(now));
    for (String value : request.claimValues()) {
      statement.setString(index++, value);
    }
    return index;
  }

  private Optional<Found> find(Connection connection, ReceiptRequest request, @Nullable Instant now)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql.find())) {
      statement.setTimestamp(1, now == null ? null : Timestamp.from(now));
      statement.setDouble(2, table.staleAfter().toMillis() / 1000.0);
      statement.setObject(3, request.ownerId());
      statement.setString(4, request.key());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(Found.read(row)) : Optional.empty();
      }
    }
  }

  /** A row as it was met. Its time is kept as the driver has it, to the microsecond. */
  @SuppressWarnings({
    "ArrayRecordComponent", // a hash to be compared in constant time, not by equals
    "JavaUtilDate" // compared with the column it came from
  })
  private record Found(
      UUID id,
      String status,
      int number,
      byte @Nullable [] fingerprint,
      @Nullable String fingerprintKeyId,
      @Nullable UUID runId,
      @Nullable UUID todoId,
      Timestamp receivedAt,
      boolean stale) {

    static Found read(ResultSet row) throws SQLException {
      return new Found(
          row.getObject("id", UUID.class),
          row.getString("status"),
          row.getInt("claim_number"),
          row.getBytes("fingerprint"),
          row.getString("fingerprint_key_id"),
          row.getObject("run_id", UUID.class),
          row.getObject("task_id", UUID.class),
          row.getTimestamp("received_at"),
          row.getBoolean("stale"));
    }
  }
}

package dev.onceward.api.receipt;

import dev.onceward.api.problem.ProblemException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is done once under a key. It may run more than once, each time in a transaction of its own
 * of which only the last is kept: it must do nothing but write rows. Implementations are
 * thread-safe.
 */
public interface ReceiptWork {

  /**
   * What it led to; one of the two is not null.
   *
   * @param runId the run
   * @param todoId the to-do
   */
  record Done(@Nullable UUID runId, @Nullable UUID todoId) {}

  /** What was already done under the receipt; asked when an earlier claim has died. */
  Optional<Done> find(Connection connection, UUID receiptId) throws SQLException;

  /**
   * Does it.
   *
   * @param connection in a transaction under the workspace; not to be committed
   * @param receiptId what is written carries it
   * @throws ProblemException to reject; nothing stays but the rejected receipt
   */
  Done execute(Connection connection, UUID receiptId) throws SQLException;
}

package dev.onceward.api.receipt;

import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.api.problem.ProblemException;
import dev.onceward.api.problem.SecretRefusal;
import dev.onceward.db.Database;
import dev.onceward.db.SqlStates;
import dev.onceward.db.receipt.ReceiptClaim;
import dev.onceward.db.receipt.ReceiptRequest;
import dev.onceward.db.receipt.Receipts;
import dev.onceward.db.secret.SecretFoundException;
import dev.onceward.db.secret.SecretGuard;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries work out once per key. Thread-safe; the rules are in the package's description. */
public final class ReceiptedWrites {
  private static final Logger LOG = LoggerFactory.getLogger(ReceiptedWrites.class);
  private static final int MAX_ATTEMPTS = 4;
  private static final int MAX_DETAIL_CHARACTERS = 500;
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final Database database;
  private final Receipts receipts;

  /**
   * Uses the receipts of one table.
   *
   * @param database as the application's role
   */
  public ReceiptedWrites(Database database, Receipts receipts) {
    this.database = database;
    this.receipts = receipts;
  }

  /**
   * Claims, works and finishes.
   *
   * @throws ProblemException {@code RECEIPT_BUSY}, {@code RECEIPT_MISMATCH}, or the work's refusal
   * @throws SQLException when the database fails; the key may be used again
   */
  public ReceiptResult carryOut(UUID workspaceId, ReceiptRequest request, ReceiptWork work)
      throws SQLException {
    ReceiptClaim claim = receipts.claim(database, workspaceId, request);
    if (claim instanceof ReceiptClaim.Claimed claimed) {
      return carryOut(workspaceId, claimed, work);
    }
    if (claim instanceof ReceiptClaim.Duplicate before) {
      return new ReceiptResult(before.runId(), before.todoId(), true, false);
    }
    if (claim instanceof ReceiptClaim.Mismatch) {
      throw Problem.of(
              ProblemCode.RECEIPT_MISMATCH,
              "This key was used for something else; send a fresh key with new content.")
          .exception();
    }
    if (claim instanceof ReceiptClaim.KeyMissing missing) {
      throw keyMissing(missing.keyId());
    }
    throw busy();
  }

  private ReceiptResult carryOut(UUID workspaceId, ReceiptClaim.Claimed claim, ReceiptWork work)
      throws SQLException {
    try {
      return workAndAccept(workspaceId, claim, work);
    } catch (ProblemException refusal) {
      reject(workspaceId, claim, reason(refusal.problem()));
      throw refusal;
    } catch (SecretFoundException secret) {
      Problem problem = SecretRefusal.problem();
      reject(workspaceId, claim, reason(problem));
      throw problem.exception();
    } catch (SQLException failure) {
      if (SecretRefusal.isCauseOf(failure)) {
        Problem problem = SecretRefusal.problem();
        reject(workspaceId, claim, reason(problem));
        throw problem.exception();
      }
      giveBack(workspaceId, claim, failure);
      throw failure;
    } catch (TakenOver takenOver) {
      throw busy();
    } catch (RuntimeException defect) {
      giveBack(workspaceId, claim, defect);
      throw defect;
    }
  }

  private ReceiptResult workAndAccept(
      UUID workspaceId, ReceiptClaim.Claimed claim, ReceiptWork work) throws SQLException {
    for (int number = 1; ; number++) {
      try {
        return database.inWorkspace(workspaceId, connection -> once(connection, claim, work));
      } catch (SQLException failure) {
        if (!SqlStates.isTransactionRetriable(failure) || number == MAX_ATTEMPTS) {
          throw failure;
        }
        LOG.info("attempt {} of {} met SQLSTATE {}", number, MAX_ATTEMPTS, failure.getSQLState());
      }
    }
  }

  private ReceiptResult once(Connection connection, ReceiptClaim.Claimed claim, ReceiptWork work)
      throws SQLException {
    Optional<ReceiptWork.Done> before =
        claim.reclaimed() ? work.find(connection, claim.receiptId()) : Optional.empty();
    ReceiptWork.Done done =
        before.isPresent() ? before.get() : work.execute(connection, claim.receiptId());
    if (!receipts.accept(connection, claim, done.runId(), done.todoId())) {
      throw new TakenOver();
    }
    return new ReceiptResult(done.runId(), done.todoId(), before.isPresent(), claim.reclaimed());
  }

  private void reject(UUID workspaceId, ReceiptClaim.Claimed claim, String detail)
      throws SQLException {
    database.runInWorkspace(
        workspaceId,
        connection -> {
          if (!receipts.reject(connection, claim, detail)) {
            LOG.info("a rejection came too late: its claim was taken over");
          }
        });
  }

  private void giveBack(UUID workspaceId, ReceiptClaim.Claimed claim, Exception failure) {
    try {
      reject(workspaceId, claim, "NOT_EXECUTED: the server failed; nothing was done.");
    } catch (SQLException again) {
      failure.addSuppressed(again);
      LOG.warn(
          "a receipt stays in processing (SQLSTATE {}); its key can be used again once it is stale",
          again.getSQLState());
    }
  }

  private static String reason(Problem problem) {
    String reason = problem.code() + ": " + problem.detail();
    // A member's name of the client's may stand in it.
    if (SecretGuard.isSecretInText(reason)) {
      return problem.code().name();
    }
    return reason.length() > MAX_DETAIL_CHARACTERS
        ? reason.substring(0, MAX_DETAIL_CHARACTERS)
        : reason;
  }

  private static ProblemException busy() {
    return Problem.of(
            ProblemCode.RECEIPT_BUSY,
            "A request with this key is being processed; send the same request again in a moment.")
        .retryAfter(RETRY_AFTER)
        .exception();
  }

  private static ProblemException keyMissing(String keyId) {
    LOG.error(
        "A receipt has a fingerprint under the key \"{}\", which is not configured, so its request"
            + " cannot be recognised and is refused with 503. Put the key back into"
            + " onceward.api.fingerprint-keys.",
        keyId);
    return Problem.of(
            ProblemCode.FINGERPRINT_KEY_MISSING,
            "This key was used before, but the server cannot tell now whether this is the same"
                + " request. Nothing was done.")
        .retryAfter(Duration.ofMinutes(1))
        .exception();
  }

  /** Rolls a work back whose claim belongs to somebody else by now. */
  private static final class TakenOver extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TakenOver() {
      super("the claim was taken over", null, false, false);
    }
  }
}

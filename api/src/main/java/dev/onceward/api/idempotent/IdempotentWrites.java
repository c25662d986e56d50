package dev.onceward.api.idempotent;

import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Caller;
import dev.onceward.api.http.Handler;
import dev.onceward.api.http.Request;
import dev.onceward.api.json.Fields;
import dev.onceward.api.json.JsonValue;
import dev.onceward.api.json.StrictJson;
import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.api.problem.ProblemException;
import dev.onceward.api.problem.SecretRefusal;
import dev.onceward.db.Database;
import dev.onceward.db.SqlStates;
import dev.onceward.db.idempotency.IdempotencyStore;
import dev.onceward.db.idempotency.RequestScope;
import dev.onceward.db.idempotency.StoredAnswer;
import dev.onceward.db.idempotency.StoredRequest;
import dev.onceward.db.secret.SecretFoundException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one idempotent write pipeline: lock the scoped key, look up, execute, store the answer,
 * commit, answer. Thread-safe. The rules are in the package's description.
 */
public final class IdempotentWrites {
  /** How often a transaction is run that deadlocks, fails to serialise, or meets a twin. */
  static final int MAX_ATTEMPTS = 4;

  private static final Logger LOG = LoggerFactory.getLogger(IdempotentWrites.class);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(50);

  private final Database database;
  private final FingerprintKeys keys;
  private final Duration keep;

  /**
   * @param database as the application's role
   * @param keys for fingerprints and locks
   * @param keep how long an answer is given again
   */
  public IdempotentWrites(Database database, FingerprintKeys keys, Duration keep) {
    this.database = database;
    this.keys = keys;
    this.keep = keep;
  }

  /** The handler of a route that carries out this scenario once per idempotency key. */
  public Handler handler(Scenario scenario) {
    return request -> answer(scenario, request);
  }

  private Answer answer(Scenario scenario, Request request) throws SQLException {
    IdempotencyKey key = IdempotencyKey.of(request.header("idempotency-key"));
    JsonValue body = StrictJson.read(request.body());
    Caller caller = request.caller();
    RequestScope scope =
        new RequestScope(
            caller.workspaceId(), caller.userId(), request.method(), request.path(), key.text());
    Attempt attempt =
        new Attempt(scenario, request, body, scope, new RequestFingerprint(keys, request, body));
    for (int number = 1; ; number++) {
      try {
        Answer answer = database.inTransaction(connection -> once(connection, attempt));
        if (answer != null) {
          return answer;
        }
      } catch (SecretFoundException e) {
        throw SecretRefusal.problem().exception();
      } catch (SQLException e) {
        if (SecretRefusal.isCauseOf(e)) {
          throw SecretRefusal.problem().exception();
        }
        if (!SqlStates.isTransactionRetriable(e) || number == MAX_ATTEMPTS) {
          throw e;
        }
        LOG.info("attempt {} of {} met SQLSTATE {}", number, MAX_ATTEMPTS, e.getSQLState());
      } catch (Twin e) {
        if (number == MAX_ATTEMPTS) {
          throw inProgress();
        }
      }
      pause(number);
    }
  }

  /** What stays the same over all attempts. */
  private record Attempt(
      Scenario scenario,
      Request request,
      JsonValue body,
      RequestScope scope,
      RequestFingerprint fingerprint) {}

  private Answer once(Connection connection, Attempt attempt) throws SQLException {
    RequestScope scope = attempt.scope();
    // One lock per configured key, in the same order everywhere: in the middle of a rotation two
    // instances share at least one, whichever is current on each.
    for (String keyId : keys.sortedIds()) {
      if (!IdempotencyStore.tryLock(connection, scope, lockId(keyId, scope))) {
        throw inProgress();
      }
    }
    Optional<StoredRequest> stored = IdempotencyStore.find(connection, scope);
    if (stored.isPresent()) {
      return replay(stored.get(), attempt.fingerprint());
    }
    attempt.request().queryParameters().refuseOthers();
    Fields fields = Fields.of(attempt.body());
    Answer answer = attempt.scenario().execute(connection, attempt.request(), fields);
    fields.refuseOthers();
    store(connection, attempt, answer);
    return answer;
  }

  private void store(Connection connection, Attempt attempt, Answer answer) throws SQLException {
    byte[] fingerprint = attempt.fingerprint().under(keys.currentId());
    if (fingerprint == null) {
      throw new IllegalStateException("the current key is always there");
    }
    StoredAnswer stored =
        new StoredAnswer(answer.status(), AnswerHeaders.write(answer.headers()), answer.body());
    boolean first =
        IdempotencyStore.storeCompleted(
            connection, attempt.scope(), fingerprint, keys.currentId(), stored, keep);
    if (!first) {
      throw new Twin();
    }
  }

  private static Answer replay(StoredRequest stored, RequestFingerprint fingerprint) {
    byte[] now = fingerprint.under(stored.fingerprintKeyId());
    if (now == null) {
      LOG.error(
          "An answer is stored under the fingerprint key \"{}\", which is not configured, so its"
              + " request cannot be recognised and is refused with 503. Put the key back into"
              + " onceward.api.fingerprint-keys until the answers made with it have expired.",
          stored.fingerprintKeyId());
      throw Problem.of(
              ProblemCode.FINGERPRINT_KEY_MISSING,
              "This key was answered before, but the server cannot tell now whether this is the same"
                  + " request. Nothing was done.")
          .retryAfter(Duration.ofMinutes(1))
          .exception();
    }
    if (!MessageDigest.isEqual(now, stored.fingerprint())) {
      throw Problem.of(
              ProblemCode.IDEMPOTENCY_KEY_REUSED,
              IdempotencyKey.HEADER,
              "This key was used for another request; send a fresh key with a new request.")
          .exception();
    }
    StoredAnswer answer = stored.answer();
    return new Answer(answer.status(), AnswerHeaders.read(answer.headers()), answer.body())
        .withHeader("Idempotency-Replayed", "true");
  }

  /** 64 bits of a keyed hash: nobody outside can aim at another's lock. */
  private long lockId(String keyId, RequestScope scope) {
    byte @Nullable [] hash =
        keys.hmac(
            keyId,
            "lock",
            scope.workspaceId().toString(),
            scope.userId().toString(),
            scope.method(),
            scope.path(),
            scope.key());
    if (hash == null) {
      throw new IllegalStateException("a configured key is always there");
    }
    return ByteBuffer.wrap(hash).getLong();
  }

  private static ProblemException inProgress() {
    return Problem.of(
            ProblemCode.IDEMPOTENCY_REQUEST_IN_PROGRESS,
            IdempotencyKey.HEADER,
            "A request with this key is executing; send the same request again in a moment.")
        .retryAfter(RETRY_AFTER)
        .exception();
  }

  private static void pause(int number) {
    long most = Math.min(LONGEST_PAUSE.toNanos(), Duration.ofMillis(5L << number).toNanos());
    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1, most));
  }

  /** Another instance, which shares no key with this one, has answered this scope meanwhile. */
  private static final class Twin extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Twin() {
      super("answered meanwhile", null, false, false);
    }
  }
}

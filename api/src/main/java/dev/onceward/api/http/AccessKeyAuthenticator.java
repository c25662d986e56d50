package dev.onceward.api.http;

import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.api.problem.ProblemException;
import dev.onceward.db.Database;
import dev.onceward.db.workspace.AccessKey;
import dev.onceward.db.workspace.AccessKeyStore;
import dev.onceward.db.workspace.AccessKeyToken;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Knows callers by {@code Authorization: Bearer ow_<keyId>_<secret>}. Every request asks the
 * database, so a revoked key and a disabled user end at once. Thread-safe.
 *
 * <p>Malformed, unknown, revoked, ended and wrong keys, and those of disabled users, get one and
 * the same answer.
 */
public final class AccessKeyAuthenticator implements Authenticator {
  // The scheme's name is case-insensitive (RFC 9110 §11.1).
  private static final Pattern BEARER = Pattern.compile("(?i:bearer) +([!-~]+)");

  /** Compared with when the key is unknown, so that the time tells nothing. */
  private static final byte[] NO_HASH = new byte[32];

  private final Database database;

  private final Consumer<String> used;

  /**
   * Looks keys up in this database.
   *
   * @param used is told the id of each key that was accepted; it neither waits nor throws
   */
  public AccessKeyAuthenticator(Database database, Consumer<String> used) {
    this.database = database;
    this.used = used;
  }

  @Override
  public Caller authenticate(List<String> authorization) throws SQLException {
    if (authorization.isEmpty()) {
      throw unauthenticated("Bearer", "Send Authorization: Bearer with an access key.");
    }
    AccessKeyToken token = parse(authorization).orElseThrow(AccessKeyAuthenticator::refused);
    Optional<AccessKey> found =
        database.inTransaction(connection -> AccessKeyStore.find(connection, token.keyId()));
    boolean matches = token.matches(found.map(AccessKey::secretHash).orElse(NO_HASH));
    AccessKey key = found.orElseThrow(AccessKeyAuthenticator::refused);
    if (!matches || !key.valid()) {
      throw refused();
    }
    used.accept(key.keyId());
    return new Caller(key.workspaceId(), key.userId(), key.keyId(), key.role());
  }

  private static Optional<AccessKeyToken> parse(List<String> authorization) {
    Matcher bearer = BEARER.matcher(authorization.get(0));
    return authorization.size() == 1 && bearer.matches()
        ? AccessKeyToken.parse(bearer.group(1))
        : Optional.empty();
  }

  private static ProblemException refused() {
    // RFC 6750 §3.1
    return unauthenticated(
        "Bearer error=\"invalid_token\"",
        "The access key is malformed, unknown or no longer valid, or its secret is wrong.");
  }

  private static ProblemException unauthenticated(String challenge, String detail) {
    return Problem.of(ProblemCode.UNAUTHENTICATED, "Authorization", detail)
        .withHeader("WWW-Authenticate", challenge)
        .exception();
  }
}

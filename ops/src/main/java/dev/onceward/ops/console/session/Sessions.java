package dev.onceward.ops.console.session;

import dev.onceward.process.Secret;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Everybody who is signed in. Thread-safe. */
public final class Sessions implements AutoCloseable {
  private static final int MOST = 200;

  private final DatabaseLogin login;
  private final Duration idle;
  private final Duration life;
  private final Map<String, Session> byTokenHash = new ConcurrentHashMap<>();

  /**
   * None yet.
   *
   * @param idle after how long without a request a session ends
   * @param life after how long it ends in any case
   */
  public Sessions(DatabaseLogin login, Duration idle, Duration life) {
    this.login = login;
    this.idle = idle;
    this.life = life;
  }

  /** Why somebody is not signed in. */
  public enum Refusal {
    /** The login is not a member of a role that may look here. */
    NO_MEMBER,
    /** As many as there may be are signed in. */
    FULL
  }

  /** A session and its token, or why there is none. */
  public record SignIn(@Nullable String token, @Nullable Refusal refusal) {}

  /**
   * Signs in.
   *
   * @throws SQLException as the server refused the login, or if it does not answer
   */
  public SignIn signIn(String user, Secret password) throws SQLException {
    expire();
    DatabaseLogin.Rights rights;
    try (Connection connection = login.open(user, password)) {
      rights = DatabaseLogin.rights(connection);
    }
    if (rights == DatabaseLogin.Rights.NONE) {
      return new SignIn(null, Refusal.NO_MEMBER);
    }
    if (byTokenHash.size() >= MOST) {
      return new SignIn(null, Refusal.FULL);
    }
    String token = Tokens.random();
    byTokenHash.put(
        Tokens.hash(token),
        new Session(login, user, password, rights == DatabaseLogin.Rights.OPERATOR));
    return new SignIn(token, null);
  }

  /**
   * The session of a token, which counts as used now; null if there is none or it is over.
   *
   * <p>It is looked up by the hash, so that the time of the look-up tells nothing about tokens.
   */
  public @Nullable Session find(@Nullable String token) {
    if (token == null) {
      return null;
    }
    String hash = Tokens.hash(token);
    Session session = byTokenHash.get(hash);
    if (session == null) {
      return null;
    }
    if (session.isOver(idle, life)) {
      end(hash);
      return null;
    }
    session.touch();
    return session;
  }

  /** Signs out. No effect if nobody is. */
  public void signOut(@Nullable String token) {
    if (token != null) {
      end(Tokens.hash(token));
    }
  }

  /** Ends those that are over. */
  public void expire() {
    byTokenHash.forEach(
        (hash, session) -> {
          if (session.isOver(idle, life)) {
            end(hash);
          }
        });
  }

  private void end(String hash) {
    Session session = byTokenHash.remove(hash);
    if (session != null) {
      session.close();
    }
  }

  @Override
  public void close() {
    List<String> all = new ArrayList<>(byTokenHash.keySet());
    all.forEach(this::end);
  }
}

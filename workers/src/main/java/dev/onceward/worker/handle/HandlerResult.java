package dev.onceward.worker.handle;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * How a successful attempt is finished: what is written in the transaction that ends the operation.
 * If that transaction finds the operation taken over by somebody else, nothing of it stays.
 */
@FunctionalInterface
public interface HandlerResult {

  /**
   * Writes what the handler found out. May run again if the transaction has to be repeated.
   *
   * @param connection in a transaction under the event's workspace; not to be committed or kept
   * @return the operation's result, a JSON text without secrets, at most 256 KiB; null for none
   */
  @Nullable String finish(Connection connection) throws SQLException;

  /**
   * Gives back what {@link #finish} needed, such as a temporary file: the attempt has ended, one
   * way or another. Called once, after the last call of {@link #finish}, if there was any.
   */
  default void released() {}

  /**
   * Whether {@link #finish} writes nothing and takes no time: then many tasks may be finished in
   * one transaction. False unless an implementation says otherwise.
   */
  default boolean isPlain() {
    return false;
  }

  /** Nothing to write but the result itself. */
  static HandlerResult of(@Nullable String resultJson) {
    return new PlainResult(resultJson);
  }
}

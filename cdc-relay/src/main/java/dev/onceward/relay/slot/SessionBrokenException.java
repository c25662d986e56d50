package dev.onceward.relay.slot;

import java.sql.SQLException;

/** The relay's session did not answer, where no checked exception can pass. */
public final class SessionBrokenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SessionBrokenException(SQLException cause) {
    super("The relay's session with PostgreSQL broke", cause);
  }
}

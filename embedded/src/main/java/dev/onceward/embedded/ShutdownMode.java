package dev.onceward.embedded;

/**
 * How PostgreSQL is asked to stop.
 *
 * @see <a href="https://www.postgresql.org/docs/current/server-shutdown.html">Shutting Down the
 *     Server</a>
 */
public enum ShutdownMode {
  /** Waits until every client has disconnected. Failure: a client that stays blocks the stop. */
  SMART(Signal.TERM),
  /** Ends the clients' sessions, rolls back what is open, writes a checkpoint. */
  FAST(Signal.INT),
  /** Ends at once without a checkpoint; the next start recovers from the write-ahead log. */
  IMMEDIATE(Signal.QUIT);

  private final Signal signal;

  ShutdownMode(Signal signal) {
    this.signal = signal;
  }

  Signal signal() {
    return signal;
  }
}

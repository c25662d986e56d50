package dev.onceward.embedded;

import java.time.Duration;

/** A server's process or container, seen while it gets ready. */
interface StartingServer {

  /** Waits for its end; returns whether it came in time. */
  boolean awaitExit(Duration limit);

  /** Where it runs and where its log is, for messages. */
  String place();

  /** Why it ended, after it has. */
  InfrastructureException ended();
}

package dev.onceward.process;

/**
 * One thing that can stand still. Thread-safe; answers at once from what its owner remembers and
 * never calls a server, so that a slow dependency cannot block the probe.
 */
public interface HealthCheck {
  /** A fixed name, such as {@code kafka}. */
  String name();

  /** The present state. One that throws counts as DOWN. */
  Health check();
}

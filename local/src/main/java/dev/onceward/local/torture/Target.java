package dev.onceward.local.torture;

/** Whom a fault is meant for; which of the two relays leads is known only when it comes. */
enum Target {
  API,
  LEADER,
  STANDBY,
  WORKERS,
  KAFKA,
  POSTGRES;

  /** Whether nothing moves while it is away. */
  boolean isServer() {
    return this == KAFKA || this == POSTGRES;
  }
}

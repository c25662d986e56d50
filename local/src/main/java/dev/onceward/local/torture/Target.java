package dev.onceward.local.torture;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** Whom a fault is meant for; which of the two relays leads is known only when it comes. */
enum Target {
  API,
  LEADER,
  STANDBY,
  WORKERS,
  KAFKA,
  POSTGRES,
  SLOT,
  API_DATABASE,
  LEADER_DATABASE,
  STANDBY_DATABASE,
  WORKERS_DATABASE;

  /** The networks between a service and the database. */
  static final Set<Target> NETWORKS =
      Collections.unmodifiableSet(EnumSet.range(API_DATABASE, WORKERS_DATABASE));

  /** Whether somebody can do nothing while it is away. */
  boolean isNeeded() {
    return this == KAFKA || this == POSTGRES || NETWORKS.contains(this);
  }

  /** What is done to it, each once in a round. */
  Set<FaultKind> kinds() {
    return switch (this) {
      case SLOT -> Collections.unmodifiableSet(EnumSet.of(FaultKind.DROP));
      case POSTGRES ->
          Collections.unmodifiableSet(
              EnumSet.of(FaultKind.KILL, FaultKind.FREEZE, FaultKind.RESTART, FaultKind.IMMEDIATE));
      case API_DATABASE, LEADER_DATABASE, STANDBY_DATABASE, WORKERS_DATABASE ->
          FaultKind.OF_NETWORKS;
      default ->
          Collections.unmodifiableSet(
              EnumSet.of(FaultKind.KILL, FaultKind.FREEZE, FaultKind.RESTART));
    };
  }
}

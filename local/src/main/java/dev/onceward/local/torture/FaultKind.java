package dev.onceward.local.torture;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** What can be done to a part. */
enum FaultKind {
  /** SIGKILL, to PostgreSQL's whole process tree. */
  KILL("killed"),
  /** SIGSTOP, and SIGCONT when it is over: connections stay open and nothing is answered. */
  FREEZE("frozen"),
  /** An orderly stop, and a start when it is over. */
  RESTART("stopped in order"),
  /** PostgreSQL's immediate shutdown: no checkpoint, recovery at the next start. */
  IMMEDIATE("stopped at once"),
  /** The replication slot is dropped while every relay is dead. */
  DROP("dropped"),
  /** Every connection is reset, new ones too. */
  BROKEN("broken"),
  /** Everything comes through late. */
  SLOW("slow"),
  /** Connections stay open, and nothing comes through until it is over. */
  BLACK_HOLE("black-holed");

  /** Those of a network. */
  static final Set<FaultKind> OF_NETWORKS =
      Collections.unmodifiableSet(EnumSet.of(BROKEN, SLOW, BLACK_HOLE));

  private final String words;

  FaultKind(String words) {
    this.words = words;
  }

  /** For people, behind the name of a part. */
  String words() {
    return words;
  }
}

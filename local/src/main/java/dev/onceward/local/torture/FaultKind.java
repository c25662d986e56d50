package dev.onceward.local.torture;

/** What can be done to a part. */
enum FaultKind {
  /** SIGKILL, to PostgreSQL's whole process tree. */
  KILL("killed"),
  /** SIGSTOP, and SIGCONT when it is over: connections stay open and nothing is answered. */
  FREEZE("frozen"),
  /** An orderly stop, and a start when it is over. */
  RESTART("stopped in order"),
  /** PostgreSQL's immediate shutdown: no checkpoint, recovery at the next start. */
  IMMEDIATE("stopped at once");

  private final String words;

  FaultKind(String words) {
    this.words = words;
  }

  /** For people, behind the name of a part. */
  String words() {
    return words;
  }
}

package dev.onceward.process;

/** How a process of ours ends. The numbers are part of the contract with scripts. */
public enum ExitCode {
  /** Did what it was asked, or was stopped by a signal and stopped cleanly. */
  OK(0),
  /** Failed for a reason that is in the log. */
  FAILURE(1),
  /** The command line was wrong. */
  USAGE(2),
  /** A setting is missing, malformed or unknown. */
  CONFIGURATION(3),
  /** Something the process needs is missing or not prepared: a server, a role, a port. */
  UNAVAILABLE(4);

  private final int number;

  ExitCode(int number) {
    this.number = number;
  }

  /** The number given to the operating system. */
  public int number() {
    return number;
  }
}

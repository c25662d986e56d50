package dev.onceward.embedded;

/** The POSIX signals that are sent to child processes; the constants' names are the signals'. */
public enum Signal {
  /** A polite request to end. */
  TERM,
  /** What Ctrl-C sends; PostgreSQL's fast shutdown. */
  INT,
  /** PostgreSQL's immediate shutdown; a thread dump for a JVM. */
  QUIT,
  /** Ends at once; cannot be caught. */
  KILL,
  /** Suspends; cannot be caught. */
  STOP,
  /** Resumes after {@link #STOP}. */
  CONT
}

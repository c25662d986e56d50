package dev.onceward.local.cluster;

import java.time.Duration;

/** Is told what was done, as it happens. Called from the starting thread only. */
@FunctionalInterface
public interface Progress {

  /** Says nothing. */
  Progress SILENT = (what, took) -> {};

  /**
   * One step is done.
   *
   * @param what what is there now, such as {@code PostgreSQL on port 20123}
   * @param took how long it took
   */
  void done(String what, Duration took);
}

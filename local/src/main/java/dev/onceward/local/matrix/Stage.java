package dev.onceward.local.matrix;

import dev.onceward.local.topic.SeenRecord;
import dev.onceward.local.torture.Finding;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** Brings the pipeline to one moment and holds it there. Confined to one thread. */
interface Stage {

  /**
   * Brings it there. May be called again after {@link #release}.
   *
   * @return whether it was seen to be there; if not, it is to be released all the same
   */
  boolean reach() throws SQLException, IOException, InterruptedException;

  /** SIGKILL to the process of ours whose moment it is. */
  void killProcess();

  /** Asked right after the kill: whether the moment had lasted until then, as far as books tell. */
  default boolean lasted() {
    return true;
  }

  /** Lets go whatever holds; harmless when nothing does, or when it died. */
  void release() throws InterruptedException;

  /** What an operator does once all runs again. */
  default void goOn() throws SQLException, IOException, InterruptedException {}

  /** What only this moment promises, beyond what all do. */
  default Own own(List<SeenRecord> records) {
    return Own.NOTHING;
  }

  /**
   * Findings of one moment's own. Immutable.
   *
   * @param lost what is missing
   * @param duplicates what is there twice
   */
  record Own(Finding lost, Finding duplicates) {
    static final Own NOTHING = new Own(Finding.NONE, Finding.NONE);
  }
}

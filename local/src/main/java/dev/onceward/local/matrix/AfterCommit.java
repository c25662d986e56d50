package dev.onceward.local.matrix;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The relay has read a committed event from the log and cannot send it: it is the first of its
 * topic, whose partitions are to be pinned in the relay's row, and that row is locked.
 */
final class AfterCommit implements Stage {

  /** The relay gives a silent database five seconds. */
  private static final Duration LIMIT = Duration.ofSeconds(3);

  private final Site site;
  private final Writing writing;
  private @Nullable HeldLock lock;

  AfterCommit(Site site, Writing writing) {
    this.site = site;
    this.writing = writing;
  }

  @Override
  public boolean reach() throws SQLException, IOException, InterruptedException {
    String type = writing.freshType();
    lock = HeldLock.take(site.superuser(), "SELECT FROM onceward.relay_state FOR UPDATE");
    Writing.Committed unused = writing.commit(type, 2);
    return Waiting.until(LIMIT, () -> site.waitsForLock("onceward-relay", "SET topic_partitions"))
        && site.isEmpty(site.cluster().topic(type));
  }

  @Override
  public void killProcess() {
    site.cluster().relay().kill();
  }

  @Override
  public void release() {
    if (lock != null) {
      lock.close();
    }
  }
}

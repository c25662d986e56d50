package dev.onceward.local.matrix;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The audit has compared a step and cannot store it: the relay's row is locked. */
final class DuringAudit implements Stage {

  /** The relay gives a silent database five seconds. */
  private static final Duration LIMIT = Duration.ofSeconds(3);

  private final Site site;
  private final Writing writing;
  private @Nullable HeldLock lock;

  DuringAudit(Site site, Writing writing) {
    this.site = site;
    this.writing = writing;
  }

  @Override
  public boolean reach() throws SQLException, IOException, InterruptedException {
    UUID event = writing.commit(Writing.PLAIN, 1).ids().get(0);
    lock = HeldLock.take(site.superuser(), "SELECT FROM onceward.relay_state FOR UPDATE");
    return Waiting.until(LIMIT, () -> site.waitsForLock("onceward-relay", "SET delivered_snapshot"))
        && site.ask("SELECT status FROM onceward.outbox_event_status WHERE event_id = ?", event)
            .equals("pending");
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

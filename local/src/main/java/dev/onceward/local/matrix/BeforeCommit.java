package dev.onceward.local.matrix;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A request's transaction has written its event and waits to store its answer: the table of answers
 * is locked.
 */
final class BeforeCommit implements Stage {

  private static final Duration LIMIT = Duration.ofSeconds(3);

  /** By its own locks: written to the outbox, and waiting before the table of answers. */
  private static final String WAITS =
      """
      EXISTS (SELECT FROM pg_stat_activity a JOIN pg_locks w ON w.pid = a.pid
        WHERE a.application_name = 'onceward-api' AND NOT w.granted
          AND w.relation = 'onceward.idempotency_requests'::regclass
          AND EXISTS (SELECT FROM pg_locks h JOIN pg_class c ON c.oid = h.relation
            WHERE h.pid = a.pid AND h.granted AND h.mode = 'RowExclusiveLock' AND c.relname LIKE 'outbox_events%'))
      """;

  private final Site site;
  private final Writing writing;
  private @Nullable HeldLock lock;

  BeforeCommit(Site site, Writing writing) {
    this.site = site;
    this.writing = writing;
  }

  @Override
  public boolean reach() throws SQLException, IOException, InterruptedException {
    lock =
        HeldLock.take(
            site.superuser(), "LOCK TABLE onceward.idempotency_requests IN EXCLUSIVE MODE");
    // Whether and how it is answered is found out at the end, when it is sent again.
    var unused = writing.requestLater();
    return Waiting.until(LIMIT, () -> site.holds(WAITS));
  }

  @Override
  public void killProcess() {
    site.cluster().api().kill();
  }

  @Override
  public void release() {
    if (lock != null) {
      lock.close();
    }
  }
}

package dev.onceward.local.matrix;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A record is acknowledged, and the relay's confirmation does not reach the slot: while the broker
 * is frozen PostgreSQL's walsender is frozen too, then the broker goes on.
 */
final class AfterAcknowledgement implements Stage {

  private static final Duration LIMIT = Duration.ofSeconds(4);

  private final Site site;
  private final Writing writing;
  private final FrozenBroker broker;
  private long walsender;

  AfterAcknowledgement(Site site, Writing writing) {
    this.site = site;
    this.writing = writing;
    this.broker = new FrozenBroker(site);
  }

  @Override
  public boolean reach() throws SQLException, IOException, InterruptedException {
    if (!broker.isReached(writing)) {
      return false;
    }
    String lsn = site.ask("SELECT pg_current_wal_insert_lsn()::text");
    if (!broker.takes(writing)) {
      return false;
    }
    double before = site.published();
    String pid =
        site.ask("SELECT active_pid FROM pg_replication_slots WHERE slot_name = 'onceward'");
    if (pid.isEmpty() || !Signals.stop(Long.parseLong(pid))) {
      return false;
    }
    walsender = Long.parseLong(pid);
    broker.release();
    return Waiting.until(LIMIT, () -> site.published() > before)
        // The event's own record in the log comes after this position.
        && site.holds(
            "SELECT confirmed_flush_lsn <= ?::pg_lsn FROM pg_replication_slots"
                + " WHERE slot_name = 'onceward'",
            lsn);
  }

  @Override
  public void killProcess() {
    site.cluster().relay().kill();
  }

  @Override
  public void release() throws InterruptedException {
    broker.release();
    if (walsender != 0) {
      Signals.resume(walsender);
      walsender = 0;
    }
  }
}

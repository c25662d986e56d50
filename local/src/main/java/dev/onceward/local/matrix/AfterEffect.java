package dev.onceward.local.matrix;

import dev.onceward.local.platform.PlatformBehaviour;
import dev.onceward.local.platform.PlatformLedger;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An effect has happened, and the worker waits to write it down: the operation's row is locked. */
final class AfterEffect implements Stage {

  private static final Duration LIMIT = Duration.ofSeconds(5);

  /** Time to take the lock between claim and effect. */
  private static final Duration LATENCY = Duration.ofMillis(400);

  private final Site site;
  private final Writing writing;
  private @Nullable HeldLock lock;

  AfterEffect(Site site, Writing writing) {
    this.site = site;
    this.writing = writing;
  }

  @Override
  public boolean reach() throws SQLException, IOException, InterruptedException {
    site.cluster().platform().behave(PlatformBehaviour.NORMAL.withLatency(LATENCY));
    UUID id = writing.request();
    String key = id.toString();
    PlatformLedger ledger = site.cluster().platform().ledger();
    if (!Waiting.until(LIMIT, () -> !ledger.calls(key).isEmpty())) {
      return false;
    }
    lock =
        HeldLock.take(
            site.superuser(), "SELECT FROM onceward.operations WHERE event_id = ? FOR UPDATE", id);
    return Waiting.until(
            LIMIT,
            () ->
                ledger.effects(key) == 1
                    && site.waitsForLock("onceward-workers", "SET state = 'succeeded'"))
        && site.holds(
            "EXISTS (SELECT FROM onceward.operations WHERE event_id = ? AND state = 'running')",
            id);
  }

  @Override
  public void killProcess() {
    site.cluster().workers().kill();
  }

  @Override
  public void release() {
    site.cluster().platform().behave(PlatformBehaviour.NORMAL);
    if (lock != null) {
      lock.close();
    }
  }
}

package dev.onceward.local.matrix;

import dev.onceward.local.cluster.Service;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The leading relay is killed, and the one that stood by has won its lock and cannot begin: the
 * relays' table cannot be written to.
 */
final class DuringTakeOver implements Stage {

  private static final Duration ROLES_LIMIT = Duration.ofSeconds(40);

  /** The successor gives a silent database five seconds. */
  private static final Duration LIMIT = Duration.ofMillis(4_500);

  /** The holder of the leaders' lock itself waits before the table. */
  private static final String BEGINS =
      """
      EXISTS (SELECT FROM pg_locks l JOIN pg_locks w ON w.pid = l.pid
        WHERE l.locktype = 'advisory' AND l.granted AND NOT w.granted
          AND w.relation = 'onceward.relay_state'::regclass)
      """;

  private final Site site;
  private final Writing writing;
  private @Nullable HeldLock lock;
  private @Nullable Service successor;

  DuringTakeOver(Site site, Writing writing) {
    this.site = site;
    this.writing = writing;
  }

  @Override
  public boolean reach() throws SQLException, IOException, InterruptedException {
    site.twoRelays(true);
    if (!site.makeWhole(ROLES_LIMIT).isEmpty()
        || !Waiting.until(ROLES_LIMIT, () -> relay("leader") != null && relay("standby") != null)) {
      return false;
    }
    Service leader = relay("leader");
    successor = relay("standby");
    if (leader == null || successor == null) {
      return false;
    }
    // What it still wrote is in the log when its successor comes.
    Writing.Committed unused = writing.commit(Writing.PLAIN, 3);
    leader.kill();
    // It may be read, so that the successor can ask for the lock; beginning writes.
    lock = HeldLock.take(site.superuser(), "LOCK TABLE onceward.relay_state IN SHARE MODE");
    unused = writing.commit(Writing.PLAIN, 2);
    return Waiting.until(LIMIT, () -> site.holds(BEGINS));
  }

  private @Nullable Service relay(String role) throws IOException, InterruptedException {
    for (Service relay : List.of(site.cluster().relay(), site.cluster().secondRelay())) {
      if (site.role(relay).equals(role)) {
        return relay;
      }
    }
    return null;
  }

  @Override
  public void killProcess() {
    if (successor != null) {
      successor.kill();
    }
  }

  @Override
  public void release() {
    if (lock != null) {
      lock.close();
    }
  }
}

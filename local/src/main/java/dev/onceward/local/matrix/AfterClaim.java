package dev.onceward.local.matrix;

import dev.onceward.local.platform.PlatformBehaviour;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An operation is claimed, and the platform takes its time before the effect. */
final class AfterClaim implements Stage {

  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Duration LATENCY = Duration.ofMillis(1_200);

  private final Site site;
  private final Writing writing;
  private @Nullable UUID event;

  AfterClaim(Site site, Writing writing) {
    this.site = site;
    this.writing = writing;
  }

  @Override
  public boolean reach() throws SQLException, IOException, InterruptedException {
    site.cluster().platform().behave(PlatformBehaviour.NORMAL.withLatency(LATENCY));
    UUID id = writing.request();
    event = id;
    return Waiting.until(LIMIT, () -> isCalled(id))
        && site.holds(
            "EXISTS (SELECT FROM onceward.operations WHERE event_id = ? AND state = 'running')", id)
        && lasted();
  }

  private boolean isCalled(UUID id) {
    return !site.cluster().platform().ledger().calls(id.toString()).isEmpty();
  }

  @Override
  public void killProcess() {
    site.cluster().workers().kill();
  }

  @Override
  public boolean lasted() {
    return event != null && site.cluster().platform().ledger().effects(event.toString()) == 0;
  }

  @Override
  public void release() {
    site.cluster().platform().behave(PlatformBehaviour.NORMAL);
  }
}

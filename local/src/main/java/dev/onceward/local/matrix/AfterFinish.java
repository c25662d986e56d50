package dev.onceward.local.matrix;

import dev.onceward.embedded.ChildProcess;
import dev.onceward.local.topic.SeenRecord;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An operation is finished, and its record's topic offset is not committed: the worker is frozen as
 * soon as the database shows the end, and what Kafka has then decides whether that was in time.
 */
final class AfterFinish implements Stage {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final Site site;
  private final Writing writing;
  private @Nullable ChildProcess frozen;

  AfterFinish(Site site, Writing writing) {
    this.site = site;
    this.writing = writing;
  }

  @Override
  public boolean reach() throws SQLException, IOException, InterruptedException {
    String id = writing.request().toString();
    if (!Waiting.until(LIMIT, () -> isFinished(id))) {
      return false;
    }
    ChildProcess process = site.cluster().workers().process();
    if (process == null || !process.isAlive()) {
      return false;
    }
    process.suspend();
    frozen = process;
    // Reading takes so long that a commit which was under way has come to its end.
    Optional<SeenRecord> record =
        site.records(site.cluster().topic(Writing.STORE)).stream()
            .filter(each -> each.key().equals(id))
            .findFirst();
    return record.isPresent() && site.isUncommitted(record.get());
  }

  private boolean isFinished(String eventId) throws SQLException {
    return site.holds(
        "EXISTS (SELECT FROM onceward.operations WHERE event_id = ? AND state = 'succeeded')",
        UUID.fromString(eventId));
  }

  @Override
  public void killProcess() {
    site.cluster().workers().kill();
  }

  @Override
  public void release() {
    if (frozen != null) {
      frozen.resume();
      frozen = null;
    }
  }
}

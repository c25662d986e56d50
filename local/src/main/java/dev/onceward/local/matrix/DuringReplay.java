package dev.onceward.local.matrix;

import dev.onceward.embedded.ChildCommand;
import dev.onceward.embedded.ChildProcess;
import dev.onceward.event.EventHeaders;
import dev.onceward.local.topic.SeenRecord;
import dev.onceward.local.torture.FindingList;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * {@code onceward replay} has sent a part of its events and is frozen; afterwards it is resumed
 * until it is completed. Each event has exactly one record of it then.
 */
final class DuringReplay implements Stage {

  private static final int EVENTS = 24;
  private static final int EVENTS_PER_SECOND = 16;
  private static final int RESUMES = 5;
  private static final Duration LIMIT = Duration.ofSeconds(15);
  private static final Duration END_LIMIT = Duration.ofSeconds(60);
  private static final String OURS =
      "FROM onceward.replays WHERE selection ->> 'aggregate_id' = ? AND selection ->>"
          + " 'aggregate_type' = ?";

  private final Site site;
  private final Writing writing;
  private final List<UUID> events = new ArrayList<>();
  private String type = "";
  private String replay = "";
  private @Nullable ChildProcess process;

  DuringReplay(Site site, Writing writing) {
    this.site = site;
    this.writing = writing;
  }

  @Override
  public boolean reach() throws SQLException, IOException, InterruptedException {
    type = writing.freshType();
    events.clear();
    events.addAll(writing.commit(type, EVENTS).ids());
    if (!Waiting.until(LIMIT, this::dispatched)) {
      return false;
    }
    ChildProcess child =
        start(
            List.of(
                "replay",
                "--aggregate",
                type + "/" + writing.aggregate(),
                "--yes",
                "--rate",
                Integer.toString(EVENTS_PER_SECOND)));
    process = child;
    if (!Waiting.until(LIMIT, () -> sent() > 0 || !child.isAlive()) || !child.isAlive()) {
      return false;
    }
    child.suspend();
    replay = site.ask("SELECT id " + OURS, writing.aggregate(), type);
    return sent() < EVENTS && child.isAlive();
  }

  private boolean dispatched() throws SQLException {
    return site.holds(
        "(SELECT count(*) FROM onceward.outbox_event_status WHERE status = 'dispatched' AND event_id"
            + " BETWEEN ? AND ?) = "
            + EVENTS,
        events.get(0),
        events.get(EVENTS - 1));
  }

  private long sent() throws SQLException {
    String count = site.ask("SELECT sent_count " + OURS, writing.aggregate(), type);
    return count.isEmpty() ? 0 : Long.parseLong(count);
  }

  private ChildProcess start(List<String> arguments) {
    List<String> all = new ArrayList<>(arguments);
    all.addAll(List.of("--config", site.cluster().opsConfig().toString()));
    return ChildCommand.java(
            "replay",
            "dev.onceward.ops.OncewardMain",
            List.of(
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-Dlogback.configurationFile=logback-command-line.xml"),
            all)
        .withOutput(site.cluster().directory().resolve("logs").resolve("replay.log"))
        .start();
  }

  @Override
  public void killProcess() {
    if (process != null) {
      process.kill();
    }
  }

  @Override
  public void release() {
    if (process != null) {
      process.resume();
    }
  }

  @Override
  public void goOn() throws SQLException, IOException, InterruptedException {
    ChildProcess child = process;
    if (child == null) {
      return;
    }
    if (!child.awaitExit(END_LIMIT)) {
      child.kill();
    }
    for (int run = 0; run < RESUMES && !completed() && !replay.isEmpty(); run++) {
      // Until the server has noticed that the process is gone, its lock is held.
      boolean unused =
          Waiting.until(
              LIMIT,
              () ->
                  site.holds(
                      "NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name ="
                          + " 'onceward-ops')"));
      try (ChildProcess again = start(List.of("replay", "resume", replay, "--yes"))) {
        boolean ended = again.awaitExit(END_LIMIT);
        if (!ended) {
          again.kill();
        }
      }
    }
  }

  private boolean completed() throws SQLException {
    return site.ask("SELECT state " + OURS, writing.aggregate(), type).equals("completed");
  }

  @Override
  public Own own(List<SeenRecord> records) {
    FindingList lost = new FindingList();
    FindingList duplicates = new FindingList();
    for (UUID event : events) {
      long copies =
          records.stream()
              .filter(record -> record.key().equals(event.toString()))
              .filter(record -> replay.equals(record.headers().get(EventHeaders.REPLAY_ID)))
              .count();
      if (copies == 0) {
        lost.add(event + " was not replayed by " + replay);
      } else if (copies > 1) {
        duplicates.add(event + " was replayed " + copies + " times by " + replay);
      }
    }
    return new Own(lost.finding(), duplicates.finding());
  }
}

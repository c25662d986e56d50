package dev.onceward.local.matrix;

import dev.onceward.embedded.InfrastructureException;
import dev.onceward.local.cluster.ClusterOptions;
import dev.onceward.local.cluster.LocalCluster;
import dev.onceward.local.cluster.Progress;
import dev.onceward.process.StartupException;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Runs cells until each has been hit often enough, a few repetitions of each before more of any.
 * Confined to one thread.
 */
public final class CrashMatrix implements AutoCloseable {

  /** A row of the table is complete early, and every cell has been run once soon. */
  private static final int FIRST_ROUND = 2;

  private static final int GROWTH = 2;

  /** In a row: then something is wrong with the cell, or with this machine. */
  private static final int MOST_FAILURES = 3;

  private final int postgres;
  private final String capture;
  private final ResultsFile results;
  private final PrintWriter progress;
  private @Nullable Site site;
  private @Nullable Subject subject;
  private int kept;

  /**
   * A matrix over one sort of pipeline.
   *
   * @param postgres the major version that the server must have
   * @param capture what reads its log: debezium or direct
   * @param results that it continues
   * @param progress gets a line for each repetition
   */
  public CrashMatrix(int postgres, String capture, ResultsFile results, PrintWriter progress) {
    this.postgres = postgres;
    this.capture = capture;
    this.results = results;
    this.progress = progress;
  }

  /** One repetition in a pipeline that is already there, and that is whole again afterwards. */
  public static TrialResult once(LocalCluster cluster, Subject subject, Cell cell)
      throws SQLException, IOException, InterruptedException {
    try (Site site = new Site(cluster)) {
      TrialResult result = new Trial(site, subject, cell).run();
      site.twoRelays(false);
      return result;
    }
  }

  /** What its results are about. */
  public static Subject subject(int postgres, String capture) throws IOException {
    return new Subject(Build.on(System.getProperty("java.class.path")), postgres, capture);
  }

  /**
   * Runs.
   *
   * @param repetitions of each cell in the end, those in the results included
   * @param until begins nothing later
   * @return cells that are not complete
   */
  public List<Cell> run(List<Cell> cells, int repetitions, Instant until)
      throws InterruptedException, IOException {
    Subject tried = subject(postgres, capture);
    subject = tried;
    List<Cell> givenUp = new ArrayList<>();
    for (int round = Math.min(FIRST_ROUND, repetitions);
        ;
        round = Math.min(round * GROWTH, repetitions)) {
      for (Cell cell : cells) {
        int failures = 0;
        while (!givenUp.contains(cell)
            && results.hits(tried, cell) < round
            && Instant.now().isBefore(until)) {
          TrialResult result = once(cell);
          failures = result.hit() ? 0 : failures + 1;
          if (failures == MOST_FAILURES) {
            givenUp.add(cell);
          }
        }
      }
      if (round == repetitions) {
        return cells.stream().filter(cell -> results.hits(tried, cell) < repetitions).toList();
      }
    }
  }

  private TrialResult once(Cell cell) throws InterruptedException, IOException {
    Instant begun = Instant.now();
    TrialResult result;
    try {
      result = new Trial(site(), tried(), cell).run();
    } catch (StartupException cannotStart) {
      throw cannotStart;
    } catch (SQLException
        | IOException
        | InfrastructureException
        | KafkaException
        | IllegalStateException failure) {
      result = broken(cell, begun, failure);
    }
    results.add(result);
    say(result);
    if (result.violations() > 0) {
      discard();
    }
    return result;
  }

  /** A repetition that could not be brought to its end has proven nothing and is not hidden. */
  private TrialResult broken(Cell cell, Instant begun, Exception failure) {
    long millis = Instant.now().toEpochMilli() - begun.toEpochMilli();
    Subject tried = tried();
    return new TrialResult(
        tried.build(),
        tried.postgres(),
        tried.capture(),
        cell.moment().label(),
        cell.victim().label(),
        begun.toString(),
        false,
        0,
        millis,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        1,
        List.of("broken off: " + failure));
  }

  private Subject tried() {
    Subject known = subject;
    if (known == null) {
      throw new IllegalStateException("asked before it runs");
    }
    return known;
  }

  private Site site() throws InterruptedException, SQLException {
    Site open = site;
    if (open == null) {
      LocalCluster cluster = LocalCluster.start(options(), Progress.SILENT);
      open = new Site(cluster);
      site = open;
      requireVersion(cluster);
    }
    return open;
  }

  private void requireVersion(LocalCluster cluster) throws SQLException {
    try (Connection connection = cluster.connectAsOps()) {
      int version = connection.getMetaData().getDatabaseMajorVersion();
      if (version != postgres) {
        throw StartupException.unavailable(
            "this is PostgreSQL " + version + ", not " + postgres,
            "Put the programs of PostgreSQL " + postgres + " first on the class path",
            null);
      }
    }
  }

  private ClusterOptions options() {
    // Short times of rest, so that a repetition takes seconds.
    return ClusterOptions.temporary()
        .withSetting("onceward.relay.capture", capture)
        .withSetting("onceward.relay.topic-partitions", "3")
        .withSetting("onceward.worker.lease", "4s")
        .withSetting("onceward.worker.lease-renewal", "1s")
        .withSetting("onceward.kafka.session.timeout.ms", "6000")
        .withSetting("onceward.kafka.heartbeat.interval.ms", "1500");
  }

  private void say(TrialResult result) {
    progress.println(
        String.format(
            Locale.ROOT,
            "  %-52s %5.1f s  %s%s",
            result.moment() + "/" + result.victim(),
            result.millis() / 1000.0,
            result.hit() ? "hit" : "missed",
            result.violations() == 0 ? "" : "  FOUND " + result.findings()));
    progress.flush();
  }

  /** The next repetition gets a new pipeline; the files of this one stay. */
  private void discard() {
    Site open = site;
    site = null;
    if (open != null) {
      open.cluster().keepFiles();
      kept++;
      progress.println("  its logs are kept in " + open.cluster().directory());
      progress.flush();
      close(open);
    }
  }

  /** How many pipelines have left their files behind. */
  public int kept() {
    return kept;
  }

  @Override
  public void close() {
    Site open = site;
    site = null;
    if (open != null) {
      close(open);
    }
  }

  private static void close(Site open) {
    try (LocalCluster cluster = open.cluster()) {
      open.close();
    }
  }
}

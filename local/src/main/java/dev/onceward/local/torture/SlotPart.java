package dev.onceward.local.torture;

import dev.onceward.local.cluster.LocalCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/**
 * The relays' replication slot. Every relay is killed before it is dropped; whichever leads next
 * makes another, and what was committed in between is the audit's to find.
 */
final class SlotPart implements Part {

  static final String NAME = "slot";

  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Duration PACE = Duration.ofMillis(50);

  private static final String FREE =
      """
      SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots
      WHERE slot_name = 'onceward' AND active_pid IS NOT NULL
      """;

  private static final String DROP =
      """
      SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots
      WHERE slot_name = 'onceward'
      """;

  private final LocalCluster cluster;
  private final List<Part> relays;

  /**
   * @param relays all that could hold the slot
   */
  SlotPart(LocalCluster cluster, List<Part> relays) {
    this.cluster = cluster;
    this.relays = List.copyOf(relays);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Part> killedWithIt() {
    return relays;
  }

  /** False while the database is away, or the walsender of a dead relay does not go. */
  @Override
  public boolean strike(FaultKind kind) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    do {
      if (drop()) {
        return true;
      }
      try {
        Thread.sleep(PACE.toMillis());
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return false;
      }
    } while (System.nanoTime() - deadline < 0);
    return false;
  }

  private boolean drop() {
    try (Connection connection = cluster.connectAsSuperuser(LIMIT);
        Statement statement = connection.createStatement()) {
      statement.execute(FREE);
      statement.execute(DROP);
      return true;
    } catch (SQLException awayOrStillActive) {
      return false;
    }
  }

  /** The relays do it. */
  @Override
  public void repair() {}

  /** It has no process. */
  @Override
  public boolean isRunning() {
    return true;
  }
}

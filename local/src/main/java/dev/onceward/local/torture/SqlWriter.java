package dev.onceward.local.torture;

import dev.onceward.db.WorkspaceContext;
import dev.onceward.db.outbox.NewEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/**
 * A backend that writes events in its own transactions and goes on whatever happens to it. Its
 * aggregates are its own, so that the order of its writing is the order of their commits.
 */
final class SqlWriter extends TortureWriter {

  static final String AGGREGATE_TYPE = "torture";

  private static final String EVENT_TYPE = "thing.tortured";
  private static final List<EventBatch> FORMS = List.of(EventBatch.values());
  private static final int AGGREGATES = 12;
  private static final double ROLLED_BACK = 0.1;
  private static final double WITH_SAVEPOINT = 0.15;
  private static final double LONG_OPEN = 0.03;
  private static final int LONG_OPEN_MILLIS = 8_000;
  private static final int PADDING = 1_500;
  private static final Duration PACE = Duration.ofMillis(250);
  private static final Duration NETWORK_LIMIT = Duration.ofSeconds(20);

  private final int number;
  private final Backend backend;
  private final List<UUID> workspaces;
  private final WriteLedger ledger;
  private final WriterFailures failures;
  private final Random random;
  private long sequence;

  /**
   * @param number of this writer, part of the names of its aggregates
   * @param workspaces that it writes in
   */
  SqlWriter(
      int number,
      Backend backend,
      List<UUID> workspaces,
      WriteLedger ledger,
      WriterFailures failures,
      long seed) {
    super("sql-writer-" + number);
    this.number = number;
    this.backend = backend;
    this.workspaces = List.copyOf(workspaces);
    this.ledger = ledger;
    this.failures = failures;
    this.random = new Random(seed);
  }

  @Override
  void write() throws InterruptedException {
    while (!isAskedToEnd()) {
      try (Connection connection = backend.connect()) {
        connection.setNetworkTimeout(Runnable::run, (int) NETWORK_LIMIT.toMillis());
        connection.setAutoCommit(false);
        while (!isAskedToEnd()) {
          transaction(connection);
          Thread.sleep(random.nextInt((int) PACE.toMillis() * 2));
        }
      } catch (SQLException failure) {
        if (!isOfFault(failure)) {
          failures.add(failure.getSQLState() + ": " + failure.getMessage());
        }
        Thread.sleep(PACE.toMillis());
      }
    }
  }

  /** The server goes, is away, comes up, or the network ended. */
  private static boolean isOfFault(SQLException failure) {
    String state = String.valueOf(failure.getSQLState());
    return state.startsWith("08") || state.startsWith("57P");
  }

  private void transaction(Connection connection) throws SQLException, InterruptedException {
    int workspace = random.nextInt(workspaces.size());
    List<WrittenEvent> kept = new ArrayList<>();
    List<WrittenEvent> undone = new ArrayList<>();
    Fate fate = Fate.ROLLED_BACK;
    try {
      WorkspaceContext.set(connection, workspaces.get(workspace));
      write(connection, workspace, kept);
      if (random.nextDouble() < WITH_SAVEPOINT) {
        Savepoint savepoint = connection.setSavepoint();
        write(connection, workspace, undone);
        connection.rollback(savepoint);
        write(connection, workspace, kept);
      }
      if (random.nextDouble() < LONG_OPEN) {
        Thread.sleep(random.nextInt(LONG_OPEN_MILLIS));
      }
      if (random.nextDouble() < ROLLED_BACK) {
        connection.rollback();
      } else {
        fate = Fate.UNKNOWN;
        connection.commit();
        fate = Fate.COMMITTED;
      }
    } finally {
      ledger.book(undone, Fate.ROLLED_BACK);
      ledger.book(kept, fate);
      ledger.transactionEnded();
    }
  }

  /** Names the events in {@code written} before it writes them: it may never return. */
  private void write(Connection connection, int workspace, List<WrittenEvent> written)
      throws SQLException {
    EventBatch form = FORMS.get(random.nextInt(FORMS.size()));
    int count = 1 + random.nextInt(most(form));
    List<NewEvent> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String aggregate = "w" + number + "." + workspace + "." + random.nextInt(AGGREGATES);
      long place = sequence++;
      NewEvent event = NewEvent.of(EVENT_TYPE, AGGREGATE_TYPE, aggregate, payload(place));
      events.add(event);
      written.add(new WrittenEvent(event.id(), aggregate, place));
    }
    form.write(connection, workspaces.get(workspace), events);
  }

  private int most(EventBatch form) {
    double draw = random.nextDouble();
    if (form == EventBatch.CALLS || draw < 0.7) {
      return 20;
    }
    return draw < 0.95 ? 100 : 500;
  }

  private String payload(long place) {
    return "{\"number\": "
        + place
        + ", \"padding\": \""
        + "x".repeat(random.nextInt(10) == 0 ? random.nextInt(PADDING) : 0)
        + "\"}";
  }
}

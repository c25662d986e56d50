package dev.onceward.bench.relay;

import dev.onceward.bench.BenchServers;
import dev.onceward.db.WorkspaceContext;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** Rows in transactions of their own, at a steady pace. Confined to one thread. */
final class LiveLoad implements AutoCloseable {
  private static final int WRITERS = 4;

  private final BenchServers servers;
  private final String insert;
  private final List<Connection> connections = new ArrayList<>();
  private final ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
  private long next;

  /** When the commits of consecutively numbered rows had returned, by {@link System#nanoTime}. */
  record Written(long first, List<Long> committedNanos) {
    long last() {
      return first + committedNanos.size() - 1;
    }
  }

  LiveLoad(BenchServers servers, String url, String insert) throws SQLException {
    this.servers = servers;
    this.insert = insert;
    for (int writer = 0; writer < WRITERS; writer++) {
      Connection connection =
          DriverManager.getConnection(url, BenchServers.APP_ROLE, servers.password());
      connections.add(connection);
      connection.setAutoCommit(false);
    }
  }

  /**
   * Writes so many rows. A writer that is late does not wait, so that the rate is kept as far as
   * the machine allows.
   */
  Written write(int rows, int perSecond) throws InterruptedException, ExecutionException {
    long first = next;
    next += rows;
    long[] committed = new long[rows];
    long begin = System.nanoTime();
    List<Future<?>> running = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      int own = writer;
      Callable<Object> task =
          () -> {
            try (PreparedStatement statement = connections.get(own).prepareStatement(insert)) {
              for (int row = own; row < rows; row += WRITERS) {
                LockSupport.parkNanos(begin + row * 1_000_000_000L / perSecond - System.nanoTime());
                committed[row] = write(connections.get(own), statement, first + row);
              }
            }
            return own;
          };
      running.add(writers.submit(task));
    }
    for (Future<?> one : running) {
      one.get();
    }
    return new Written(first, Arrays.stream(committed).boxed().toList());
  }

  private long write(Connection connection, PreparedStatement statement, long number)
      throws SQLException {
    WorkspaceContext.set(connection, servers.workspaceId());
    statement.setString(1, LiveWatch.mark(number));
    statement.executeUpdate();
    connection.commit();
    return System.nanoTime();
  }

  @Override
  public void close() throws SQLException {
    writers.shutdownNow();
    for (Connection connection : connections) {
      connection.close();
    }
  }
}

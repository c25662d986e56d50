package dev.onceward.bench.relay;

import java.util.ArrayList;
import java.util.List;

/**
 * What a backlog is made of. Immutable.
 *
 * @param name what tells it from the usual one
 * @param events how many
 * @param workspaces that take turns, a transaction each
 * @param leastRows of a transaction
 * @param mostRows of a transaction
 * @param payloadBytes of each event, 11 or more
 */
record Shape(
    String name, int events, int workspaces, int leastRows, int mostRows, int payloadBytes) {
  private static final int WORKSPACES = 1;
  private static final int MOST_ROWS = 100;
  private static final int PAYLOAD_BYTES = 300;

  /** Payloads of 300 bytes in transactions of 1 to 100 rows, all in one workspace. */
  static Shape usual(String name, int events) {
    return new Shape(name, events, WORKSPACES, 1, MOST_ROWS, PAYLOAD_BYTES);
  }

  /**
   * One thing after the other grows. The usual one comes first and last: what differs between these
   * two is the machine's doing.
   */
  static List<Shape> growing(int events, List<Integer> backlogs) {
    List<Shape> shapes = new ArrayList<>();
    shapes.add(usual("usual", events));
    for (int rows : List.of(1, 10, 1_000)) {
      String name = rows == 1 ? "1 row a transaction" : rows + " rows a transaction";
      shapes.add(new Shape(name, events, WORKSPACES, rows, rows, PAYLOAD_BYTES));
    }
    for (int workspaces : List.of(10, 1_000)) {
      shapes.add(
          new Shape(workspaces + " workspaces", events, workspaces, 1, MOST_ROWS, PAYLOAD_BYTES));
    }
    shapes.add(new Shape("100 bytes", events, WORKSPACES, 1, MOST_ROWS, 100));
    shapes.add(new Shape("10,000 bytes", events / 10, WORKSPACES, 1, MOST_ROWS, 10_000));
    shapes.add(new Shape("200,000 bytes", events / 100, WORKSPACES, 1, MOST_ROWS, 200_000));
    backlogs.forEach(backlog -> shapes.add(usual("backlog of millions", backlog)));
    shapes.add(usual("usual, again", events));
    return shapes;
  }
}

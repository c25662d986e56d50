package dev.onceward.ops.deadletter;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Some of many. Immutable.
 *
 * @param total how many match
 * @param newest the newest of them, newest first
 */
record NewestLetters(long total, List<DeadLetter> newest) {

  private static final Comparator<DeadLetter> OLDEST_FIRST =
      Comparator.comparing(DeadLetter::at).thenComparing(DeadLetter::id);

  NewestLetters {
    newest = List.copyOf(newest);
  }

  static NewestLetters of(
      DeadLetters letters, DeadLetterFilter filter, boolean discarded, int limit)
      throws SQLException {
    PriorityQueue<DeadLetter> kept = new PriorityQueue<>(OLDEST_FIRST);
    long[] total = {0};
    letters.forEach(
        filter,
        discarded,
        letter -> {
          total[0]++;
          kept.add(letter);
          if (kept.size() > limit) {
            kept.remove();
          }
        });
    List<DeadLetter> newest = new ArrayList<>(kept);
    newest.sort(OLDEST_FIRST.reversed());
    return new NewestLetters(total[0], newest);
  }
}

package dev.onceward.process;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Finds what somebody meant to write. */
final class Spelling {
  private Spelling() {}

  /** The candidate with the fewest edits to the word; null when all need more than the limit. */
  static @Nullable String nearest(String word, Collection<String> candidates, int limit) {
    String best = null;
    int least = limit + 1;
    for (String candidate : candidates) {
      int edits = edits(word, candidate);
      if (edits < least) {
        least = edits;
        best = candidate;
      }
    }
    return best;
  }

  /** Insertions, deletions, substitutions and swaps of neighbours between two words. */
  static int edits(String from, String to) {
    int[][] cost = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int differs = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
        int least = Math.min(cost[i - 1][j] + 1, cost[i][j - 1] + 1);
        least = Math.min(least, cost[i - 1][j - 1] + differs);
        boolean swapped =
            i > 1
                && j > 1
                && from.charAt(i - 1) == to.charAt(j - 2)
                && from.charAt(i - 2) == to.charAt(j - 1);
        cost[i][j] = swapped ? Math.min(least, cost[i - 2][j - 2] + 1) : least;
      }
    }
    return cost[from.length()][to.length()];
  }
}

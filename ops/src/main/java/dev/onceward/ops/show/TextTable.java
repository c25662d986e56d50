package dev.onceward.ops.show;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A table for people: a line of headings, then the rows, each column as wide as its widest cell.
 * Confined to one thread.
 */
public final class TextTable {

  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();
  private final int columns;

  /** A table with these headings, in capitals by custom. */
  public TextTable(String... headings) {
    columns = headings.length;
    rows.add(List.of(headings));
  }

  /**
   * Adds a row.
   *
   * @param cells one for each column; null is shown as a dash
   */
  public TextTable row(@Nullable Object... cells) {
    if (cells.length != columns) {
      throw new IllegalArgumentException(cells.length + " cells for " + columns + " columns");
    }
    List<String> row = new ArrayList<>();
    for (@Nullable Object cell : cells) {
      row.add(cell == null ? "-" : printable(Objects.toString(cell)));
    }
    rows.add(row);
    return this;
  }

  /** Whether it has no row. */
  public boolean isEmpty() {
    return rows.size() == 1;
  }

  /** Prints it; no line ends in space. */
  public void print(PrintWriter out) {
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int column = 0; column < columns; column++) {
        widths[column] = Math.max(widths[column], length(row.get(column)));
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < columns; column++) {
        String cell = row.get(column);
        line.append(column == 0 ? "" : GAP)
            .append(cell)
            .append(" ".repeat(widths[column] - length(cell)));
      }
      out.println(line.toString().stripTrailing());
    }
    out.flush();
  }

  /** A text without what would move the cursor or colour the terminal. */
  public static String printable(String text) {
    return text.replaceAll("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029]", "\uFFFD");
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}

package dev.onceward.local.matrix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * One cell of the matrix. Immutable.
 *
 * @param moment when
 * @param victim who
 */
public record Cell(Moment moment, Victim victim) {

  /** All of them, row by row. */
  public static List<Cell> all() {
    List<Cell> cells = new ArrayList<>();
    for (Moment moment : Moment.values()) {
      for (Victim victim : Victim.values()) {
        cells.add(new Cell(moment, victim));
      }
    }
    return cells;
  }

  /**
   * The cells of {@code MOMENT} or {@code MOMENT/VICTIM}.
   *
   * @throws IllegalArgumentException for an unknown word; the message lists the known ones
   */
  public static List<Cell> parse(String text) {
    int slash = text.indexOf('/');
    String moment = slash < 0 ? text : text.substring(0, slash);
    List<Cell> cells =
        all().stream()
            .filter(cell -> cell.moment.label().equals(moment.toLowerCase(Locale.ROOT)))
            .filter(
                cell -> slash < 0 || cell.victim.label().equals(text.substring(slash + 1).strip()))
            .toList();
    if (cells.isEmpty()) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is no cell; a moment is one of "
              + Arrays.stream(Moment.values()).map(Moment::label).toList()
              + ", a victim one of "
              + Arrays.stream(Victim.values()).map(Victim::label).toList());
    }
    return cells;
  }

  @Override
  public String toString() {
    return moment.label() + "/" + victim.label();
  }
}

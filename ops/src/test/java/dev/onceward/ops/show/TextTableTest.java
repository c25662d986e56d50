package dev.onceward.ops.show;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.ops.change.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class TextTableTest {

  private final StringWriter written = new StringWriter();
  private final PrintWriter out = new PrintWriter(written);

  @Test
  void columns_are_aligned_by_character_and_null_is_a_dash() {
    new TextTable("ID", "NAME", "STATE").row(1, "İpek 𝄞", "on").row(100, null, null).print(out);

    assertThat(written.toString().lines())
        .containsExactly("ID   NAME    STATE", "1    İpek 𝄞  on", "100  -       -");
  }

  @Test
  void a_name_moves_neither_the_cursor_nor_the_row() {
    new TextTable("NAME").row("a\u001b[2Jb\nc\u202Ed").print(out);

    assertThat(written.toString().lines()).containsExactly("NAME", "a�[2Jb�c�d");
  }

  @Test
  void a_row_has_as_many_cells_as_there_are_headings() {
    assertThatThrownBy(() -> new TextTable("A", "B").row(1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void progress_shows_count_rate_and_remaining_time_and_nothing_without_a_terminal() {
    try (Progress progress = Progress.of(terminal(false), out, "replay", "events", 100)) {
      progress.advance(10);
    }
    assertThat(written.toString()).isEmpty();

    try (Progress progress = Progress.of(terminal(true), out, "replay", "events", 100)) {
      progress.advance(10);
      progress.reach(50);
    }
    assertThat(written.toString())
        .contains("replay")
        .contains("50%")
        .contains("50/100 events")
        .containsPattern("events/s")
        .contains(" / ")
        .endsWith("\n");
  }

  private static Terminal terminal(boolean interactive) {
    return new Terminal() {
      @Override
      public boolean isInteractive() {
        return interactive;
      }

      @Override
      public @Nullable String readLine() {
        return null;
      }
    };
  }
}

package dev.onceward.local.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultsFileTest {

  private static final Subject SUBJECT = new Subject("b", 18, "debezium");
  private static final Cell CELL = new Cell(Moment.DURING_AUDIT, Victim.KAFKA);

  @TempDir private Path directory;

  @Test
  void what_was_appended_is_read_again_and_only_hits_count() throws IOException {
    Path file = directory.resolve("new").resolve("matrix.jsonl");
    ResultsFile results = ResultsFile.open(file);
    results.add(result(SUBJECT, true, 0));
    results.add(result(SUBJECT, false, 0));
    results.add(result(new Subject("b", 16, "debezium"), true, 0));

    ResultsFile again = ResultsFile.open(file);

    assertThat(again.all()).isEqualTo(results.all());
    assertThat(again.hits(SUBJECT, CELL)).isOne();
    assertThat(again.hits(SUBJECT, new Cell(Moment.DURING_AUDIT, Victim.PROCESS))).isZero();
    assertThat(Files.readString(file)).contains("\"rest_millis\":");
  }

  @Test
  void a_line_that_was_cut_off_by_a_kill_is_cut_away() throws IOException {
    Path file = directory.resolve("matrix.jsonl");
    ResultsFile.open(file).add(result(SUBJECT, true, 0));
    Files.writeString(file, "{\"build\":\"b\",\"post", StandardOpenOption.APPEND);

    ResultsFile results = ResultsFile.open(file);
    results.add(result(SUBJECT, true, 0));

    assertThat(ResultsFile.open(file).hits(SUBJECT, CELL)).isEqualTo(2);
  }

  @Test
  void the_table_counts_hits_and_names_every_finding() throws IOException {
    Path page = directory.resolve("page.md");
    Files.writeString(
        page, "before\n<!-- crash-matrix: begin -->\nold\n<!-- crash-matrix: end -->\nafter\n");

    MatrixTable.writeInto(
        page,
        List.of(
            result(SUBJECT, true, 0),
            result(SUBJECT, true, 3),
            result(SUBJECT, false, 0),
            result(new Subject("b", 16, "direct"), true, 0)));

    assertThat(Files.readString(page))
        .startsWith("before\n<!-- crash-matrix: begin -->\n")
        .endsWith("<!-- crash-matrix: end -->\nafter\n")
        .doesNotContain("old")
        .contains("3 repetitions hit their moment, 1 missed it")
        .contains("| during audit | Kafka | 2 | 3 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 7 |")
        .contains("| before commit | API | 0 |  |")
        .contains("| during audit | Kafka | 1 / 0 / 0 |")
        .contains("during-audit/kafka: example");
  }

  @Test
  void a_page_without_marks_is_refused_and_left_as_it_is() throws IOException {
    Path page = directory.resolve("page.md");
    Files.writeString(page, "mine");

    assertThatThrownBy(() -> MatrixTable.writeInto(page, List.of()))
        .hasMessageContaining("crash-matrix: begin");
    assertThat(page).hasContent("mine");
  }

  @Test
  void cells_are_named_by_moment_and_victim() {
    assertThat(Cell.parse("during-audit/kafka")).containsExactly(CELL);
    assertThat(Cell.parse("during-audit")).hasSize(3).contains(CELL);
    assertThat(Cell.all()).hasSize(30);
    assertThatThrownBy(() -> Cell.parse("during-lunch"))
        .hasMessageContaining("'during-lunch' is no cell")
        .hasMessageContaining("before-commit");
  }

  private static TrialResult result(Subject subject, boolean hit, long lost) {
    return new TrialResult(
        subject.build(),
        subject.postgres(),
        subject.capture(),
        CELL.moment().label(),
        CELL.victim().label(),
        "2026-01-31T08:00:00Z",
        hit,
        0,
        7_000,
        5_000,
        9,
        9,
        lost,
        0,
        0,
        0,
        0,
        0,
        2,
        0,
        0,
        0,
        0,
        0,
        lost > 0 ? List.of("example") : List.of());
  }
}

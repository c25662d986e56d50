package dev.onceward.bench.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.bench.page.PageCommand;
import dev.onceward.local.report.ReportOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The page takes its numbers by name from the files that the reports leave. */
final class ReportsOnThePageTest {
  private static final Measured RUN = new Measured(1, 20_000, 25_000, 1, 2, 6, 1, 3, 100);

  @TempDir Path folder;

  @Test
  void a_backlog() throws IOException {
    RelayReport report =
        RelayReport.of(200_000, 1, List.of(), Map.of("fast", List.of(RUN)), List.of());
    assertThat(page(report))
        .contains("| fast | 20,000 | 20,000 – 20,000 | 25,000 | 1.0 | 3.00 | 0.50 | 1.50 | 100 |");
  }

  @Test
  void growth() throws IOException {
    Shape shape = Shape.usual("usual", 200_000);
    GrowthReport report =
        GrowthReport.of(List.of(), List.of(GrowthReport.line(shape, "fast", RUN)));
    assertThat(page(report))
        .contains("| usual | fast | 200,000 | 20,000 | 25,000 | 1.0 | 2.0 | 3.00 | 0.50 | 100 |");
  }

  private String page(ReportOptions.Report report) throws IOException {
    Path page = folder.resolve("page.md");
    assertThat(quiet(new Printing(report)).execute("--results=" + folder)).isZero();
    assertThat(quiet(new PageCommand()).execute("--results=" + folder, "--to=" + page)).isZero();
    return Files.readString(page);
  }

  private static CommandLine quiet(Object command) {
    PrintWriter nowhere = new PrintWriter(new StringWriter(), true);
    return new CommandLine(command).setOut(nowhere).setErr(nowhere);
  }

  @Command
  private static final class Printing implements Callable<Integer> {
    private final ReportOptions.Report report;
    @Mixin private ReportOptions options = new ReportOptions();

    private Printing(ReportOptions.Report report) {
      this.report = report;
    }

    @Override
    public Integer call() throws IOException {
      options.print(report);
      return 0;
    }
  }
}

package dev.onceward.local;

import dev.onceward.local.matrix.Cell;
import dev.onceward.local.matrix.CrashMatrix;
import dev.onceward.local.matrix.MatrixTable;
import dev.onceward.local.matrix.ResultsFile;
import dev.onceward.process.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code onceward crash-matrix}. */
@Command(
    name = "crash-matrix",
    mixinStandardHelpOptions = true,
    description = {
      "At each named moment of an event's way kills our process, PostgreSQL or Kafka, in a pipeline"
          + " of its own, and checks what was promised.",
      "",
      "Each repetition appends a line to the results file, and a later run goes on where it ends."
          + " Needs Linux, and the right to freeze PostgreSQL's processes."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:nothing was found; what is not complete is named on standard error",
      "1:a repetition of this build found something; its line says what",
      "2:wrong command line, or results of another build",
      "4:something could not be started"
    },
    footer = {
      "",
      "Examples:",
      "  onceward crash-matrix --results matrix.jsonl --until 18:30",
      "  onceward crash-matrix --results matrix.jsonl --cells after-claim,before-commit/kafka",
      "  onceward crash-matrix --results matrix.jsonl --postgres 16 --capture direct --repetitions 2",
      "  onceward crash-matrix --results matrix.jsonl --table docs/guarantees.md"
    })
final class CrashMatrixCommand implements Callable<Integer> {

  private static final int MOST_REPETITIONS = 1_000;

  @Option(
      names = "--results",
      required = true,
      paramLabel = "FILE",
      description = "One JSON object for each repetition; made if it is missing.")
  private Path file = Path.of("");

  @Option(names = "--fresh", description = "Forgets what the results file holds.")
  private boolean fresh;

  @Option(
      names = "--cells",
      split = ",",
      paramLabel = "MOMENT[/VICTIM]",
      description = "Only these; a victim is process, postgres or kafka.")
  private List<String> cells = List.of();

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      defaultValue = "20",
      description = "Of each cell, with those in the results (default: ${DEFAULT-VALUE}).")
  private int repetitions;

  @Option(
      names = "--postgres",
      paramLabel = "VERSION",
      defaultValue = "18",
      description = "16, 17 or 18 (default: ${DEFAULT-VALUE}).")
  private int postgres;

  /** What reads the log. */
  enum Capture {
    DEBEZIUM,
    DIRECT
  }

  @Option(
      names = "--capture",
      paramLabel = "SOURCE",
      defaultValue = "debezium",
      description = "debezium or direct (default: ${DEFAULT-VALUE}).")
  private Capture capture = Capture.DEBEZIUM;

  @Option(
      names = "--until",
      paramLabel = "HH:MM",
      converter = NextTime.class,
      description = "Begins no repetition after this time of day.")
  private @Nullable Instant until;

  @Option(
      names = "--table",
      paramLabel = "PAGE",
      description = "Runs nothing, and writes the results into this page, between its marks.")
  private @Nullable Path table;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException, IOException {
    PrintWriter err = spec.commandLine().getErr();
    Path page = table;
    if (page != null) {
      MatrixTable.writeInto(page, ResultsFile.open(file).all());
      err.println("  wrote " + page);
      return ExitCode.OK.number();
    }
    if (repetitions < 1 || repetitions > MOST_REPETITIONS) {
      throw wrong("--repetitions is " + repetitions + "; give 1 to " + MOST_REPETITIONS);
    }
    if (postgres < 16 || postgres > 18) {
      throw wrong("--postgres is " + postgres + "; give 16, 17 or 18");
    }
    List<Cell> chosen = chosen();
    String source = capture == Capture.DIRECT ? "direct" : "debezium";
    ResultsFile results = fresh ? ResultsFile.fresh(file) : ResultsFile.open(file);
    String build = CrashMatrix.subject(postgres, source).build();
    if (results.all().stream().anyMatch(result -> !result.build().equals(build))) {
      throw wrong(
          file
              + " holds results of another build than this, which is "
              + build
              + "; name another file, or give --fresh");
    }
    try (CrashMatrix matrix = new CrashMatrix(postgres, source, results, err)) {
      List<Cell> missing = matrix.run(chosen, repetitions, until == null ? Instant.MAX : until);
      if (!missing.isEmpty()) {
        err.println("Not complete: " + missing);
      }
    }
    err.flush();
    boolean found = results.all().stream().anyMatch(result -> result.violations() > 0);
    return found ? ExitCode.FAILURE.number() : ExitCode.OK.number();
  }

  private List<Cell> chosen() {
    try {
      return cells.isEmpty()
          ? Cell.all()
          : cells.stream().flatMap(each -> Cell.parse(each.strip()).stream()).distinct().toList();
    } catch (IllegalArgumentException unknown) {
      throw wrong("--cells: " + unknown.getMessage());
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** A time of day, as the next instant that it comes. */
  static final class NextTime implements ITypeConverter<Instant> {
    @Override
    public Instant convert(String text) {
      if (!text.matches("([01]\\d|2[0-3]):[0-5]\\d")) {
        throw new TypeConversionException("'" + text + "' is no time of day; write 09:30 or 18:00");
      }
      LocalDateTime now = LocalDateTime.now(ZoneId.systemDefault());
      LocalDateTime next = now.toLocalDate().atTime(LocalTime.parse(text));
      return (next.isBefore(now) ? next.plusDays(1) : next)
          .atZone(ZoneId.systemDefault())
          .toInstant();
    }
  }
}

package dev.onceward.local.report;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What every command with a report has: the form of its report, and the check of its numbers. */
public final class ReportOptions {
  /** How a report is written. */
  public enum Output {
    /** A table for people. */
    TEXT,
    /** One object for scripts. */
    JSON
  }

  /** A report in both forms; as JSON by its members. */
  public interface Report {
    /** What its file is called, without ending. */
    String name();

    /** For people. */
    String table();
  }

  @Option(
      names = "--output",
      paramLabel = "FORMAT",
      description = "${COMPLETION-CANDIDATES} (default: text).")
  private Output output = Output.TEXT;

  @Option(
      names = "--results",
      paramLabel = "FOLDER",
      description = "Also leaves the report there as JSON.")
  private @Nullable Path results;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  /**
   * Writes a report in the form that was asked for.
   *
   * @throws IOException if the folder for results cannot be written to
   */
  public void print(Report report) throws IOException {
    String json =
        JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build()
            .writerWithDefaultPrettyPrinter()
            .writeValueAsString(report);
    PrintWriter out = spec.commandLine().getOut();
    if (output == Output.JSON) {
      out.println(json);
    } else {
      out.print(report.table());
    }
    out.flush();
    Path folder = results;
    if (folder != null) {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve(report.name() + ".json"), json + "\n");
    }
  }

  /**
   * Checks a number that was given.
   *
   * @throws ParameterException naming the option, the value and the range
   */
  public void checkRange(String option, int value, int min, int max) {
    if (value < min || value > max) {
      throw new ParameterException(
          spec.commandLine(), option + " is " + value + "; give " + min + " to " + max);
    }
  }
}

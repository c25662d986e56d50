package dev.onceward.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What every measuring command has: the form of its report, and the check of its numbers. */
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
    /** For people. */
    String table();
  }

  @Option(
      names = "--output",
      paramLabel = "FORMAT",
      description = "${COMPLETION-CANDIDATES} (default: text).")
  private Output output = Output.TEXT;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  /** Writes a report in the form that was asked for. */
  public void print(Report report) throws JsonProcessingException {
    PrintWriter out = spec.commandLine().getOut();
    if (output == Output.JSON) {
      out.println(
          JsonMapper.builder()
              .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
              .build()
              .writerWithDefaultPrettyPrinter()
              .writeValueAsString(report));
    } else {
      out.print(report.table());
    }
    out.flush();
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

package dev.onceward.ops;

import dev.onceward.ops.kafka.KafkaFailures;
import dev.onceward.process.ConfigurationException;
import dev.onceward.process.ExitCode;
import dev.onceward.process.StartupException;
import java.io.PrintWriter;
import java.sql.SQLException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Turns the failure of a command into one line on standard error and an exit code. Stateless. */
final class FailureReport implements IExecutionExceptionHandler {

  @Override
  public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    if (failure instanceof ConfigurationException configuration) {
      configuration.problems().forEach(problem -> err.println("onceward: " + problem));
      return ExitCode.CONFIGURATION.number();
    }
    StartupException known =
        failure instanceof StartupException startup
            ? startup
            : failure instanceof SQLException sql
                ? DatabaseFailures.classify(sql)
                : KafkaFailures.classify(failure);
    if (known != null) {
      err.println("onceward: " + known.getMessage() + ". " + known.remedy() + ".");
      return known.exitCode().number();
    }
    err.println("onceward: failed unexpectedly:");
    failure.printStackTrace(err);
    return ExitCode.FAILURE.number();
  }
}

package dev.onceward.local;

import dev.onceward.embedded.InfrastructureException;
import dev.onceward.local.demo.DemoFailedException;
import dev.onceward.process.ExitCode;
import dev.onceward.process.StartupException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Turns the failure of a command into a message on standard error and an exit code. Stateless. */
public final class FailureReport implements IExecutionExceptionHandler {

  @Override
  public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    if (failure instanceof StartupException known) {
      err.println("onceward: " + known.getMessage() + ". " + known.remedy() + ".");
      return known.exitCode().number();
    }
    if (failure instanceof InfrastructureException known) {
      err.println("onceward: " + known.getMessage());
      return ExitCode.UNAVAILABLE.number();
    }
    if (failure instanceof DemoFailedException known) {
      err.println("onceward: the demo failed: " + known.getMessage());
      return ExitCode.FAILURE.number();
    }
    if (failure instanceof InterruptedException) {
      err.println("onceward: stopped before it was done");
      return ExitCode.FAILURE.number();
    }
    err.println("onceward: failed unexpectedly:");
    failure.printStackTrace(err);
    return ExitCode.FAILURE.number();
  }
}

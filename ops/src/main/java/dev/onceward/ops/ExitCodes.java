package dev.onceward.ops;

import dev.onceward.process.ExitCode;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** What the exit codes of every command mean, for its help. */
final class ExitCodes {

  private ExitCodes() {}

  /** Adds them to the help of the command and all below it, where it has none of its own. */
  static void describeOn(CommandLine commandLine) {
    UsageMessageSpec help = commandLine.getCommandSpec().usageMessage();
    if (help.exitCodeList().isEmpty()) {
      help.exitCodeListHeading("Exit codes:%n");
      help.exitCodeList(meanings());
    }
    commandLine.getSubcommands().values().forEach(ExitCodes::describeOn);
  }

  private static Map<String, String> meanings() {
    Map<String, String> meanings = new LinkedHashMap<>();
    for (ExitCode code : ExitCode.values()) {
      meanings.put(
          Integer.toString(code.number()),
          switch (code) {
            case OK -> "done";
            case FAILURE -> "refused, or failed, or something was found; the message says what";
            case USAGE -> "wrong command line";
            case CONFIGURATION -> "wrong settings";
            case UNAVAILABLE -> "the database or Kafka is away, refuses, or is not prepared";
          });
    }
    return meanings;
  }
}

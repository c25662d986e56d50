package dev.onceward.ops;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/**
 * One run of the command line.
 *
 * @param exitCode of the run
 * @param out standard output
 * @param err standard error
 */
record CommandRun(int exitCode, String out, String err) {

  static CommandRun of(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine commandLine = OncewardMain.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    int exitCode = commandLine.execute(arguments);
    return new CommandRun(exitCode, out.toString(), err.toString());
  }

  JsonNode json() throws JsonProcessingException {
    return new ObjectMapper().readTree(out);
  }
}

package dev.onceward.ops;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.onceward.ops.change.ChangeOptions;
import dev.onceward.ops.change.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/**
 * One run of the command line.
 *
 * @param exitCode of the run
 * @param out standard output
 * @param err standard error
 */
record CommandRun(int exitCode, String out, String err) {

  static CommandRun of(String... arguments) {
    return of(OncewardMain.commandLine(), arguments);
  }

  /** A run by an operator who gives these answers, one for each question. */
  static CommandRun answering(List<String> answers, String... arguments) {
    Terminal terminal = new AnsweringTerminal(new ArrayDeque<>(answers));
    return of(
        OncewardMain.commandLine(
            new IFactory() {
              @Override
              public <K> K create(Class<K> type) throws Exception {
                return type == ChangeOptions.class
                    ? type.cast(new ChangeOptions(terminal))
                    : CommandLine.defaultFactory().create(type);
              }
            }),
        arguments);
  }

  private static CommandRun of(CommandLine commandLine, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    int exitCode = commandLine.execute(arguments);
    return new CommandRun(exitCode, out.toString(), err.toString());
  }

  private record AnsweringTerminal(Queue<String> answers) implements Terminal {
    @Override
    public boolean isInteractive() {
      return true;
    }

    @Override
    public @Nullable String readLine() {
      return answers.poll();
    }
  }

  JsonNode json() throws JsonProcessingException {
    return new ObjectMapper().readTree(out);
  }
}

package dev.onceward.ops.change;

import dev.onceward.db.action.NewAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * A command as it is recorded: its words and what was given to it, without what is the same for
 * every command. Stateless.
 */
final class CommandText {

  private static final Set<String> NOT_RECORDED = Set.of("--config", "--output", "--yes");

  private CommandText() {}

  static NewAction action(String operator, CommandSpec command) {
    String root = command.root().name();
    String words = command.qualifiedName();
    return new NewAction(
        operator,
        words.startsWith(root + " ") ? words.substring(root.length() + 1) : words,
        arguments(command.commandLine().getParseResult()));
  }

  private static String arguments(ParseResult given) {
    List<String> words = new ArrayList<>();
    for (ArgSpec argument : given.matchedArgs()) {
      String name = argument instanceof OptionSpec option ? option.longestName() : "";
      if (NOT_RECORDED.contains(name)) {
        continue;
      }
      if (argument.arity().max() == 0) {
        words.add(name);
      } else {
        argument
            .stringValues()
            .forEach(value -> words.add(name.isEmpty() ? value : name + "=" + value));
      }
    }
    return String.join(" ", words);
  }
}

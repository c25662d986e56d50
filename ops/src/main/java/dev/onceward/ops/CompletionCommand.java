package dev.onceward.ops;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code onceward completion}. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = "Prints a script that completes commands and options in bash and zsh.",
    footer = {
      "",
      "Examples:",
      "  source <(onceward completion)",
      "  onceward completion > ~/.local/share/bash-completion/completions/onceward"
    })
final class CompletionCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.println(AutoComplete.bash(spec.root().name(), spec.root().commandLine()));
    out.flush();
    return 0;
  }
}

package dev.onceward.ops.offsets;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onceward offsets show|reset}. */
@Command(
    name = "offsets",
    mixinStandardHelpOptions = true,
    description = "Shows where the pipeline and its consumers stand, and moves a consumer group.",
    subcommands = {OffsetsShowCommand.class, OffsetsResetCommand.class},
    footer = {
      "",
      "Examples:",
      "  onceward offsets show",
      "  onceward offsets reset --group onceward-workers --by -10m --dry-run"
    })
public final class OffsetsCommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what: show or reset");
  }
}

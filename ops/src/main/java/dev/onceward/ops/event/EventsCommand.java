package dev.onceward.ops.event;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onceward events list|show}. */
@Command(
    name = "events",
    mixinStandardHelpOptions = true,
    description = "Lists the events of the outbox, or tells the life of one from any of its ids.",
    subcommands = {EventListCommand.class, EventShowCommand.class},
    footer = {
      "",
      "Examples:",
      "  onceward events list --status parked --from 24h",
      "  onceward events show 0190e0a4-0000-7000-8000-000000000001",
      "  onceward events show order-4711-paid"
    })
public final class EventsCommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what: list or show");
  }
}

package dev.onceward.ops.deadletter;

import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.change.ChangeOptions;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code onceward dead-letters redrive}. */
@Command(
    name = "redrive",
    mixinStandardHelpOptions = true,
    description = {
      "Has dead letters tried again, one by id, a group, or all that a filter names.",
      "An operation is queued anew with all its attempts; an event is sent again by the relay; a"
          + " record goes back to its topic byte for byte, with the header replay_id."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:all of them are redriven",
      "1:nothing matches, or some could not be redriven; each is named",
      "2:wrong command line",
      "3:wrong settings",
      "4:the database or Kafka is away"
    },
    footer = {
      "",
      "Examples:",
      "  onceward dead-letters redrive 019c2f0e-7a50-7c11-9d3e-0b5a4f6c1d22",
      "  onceward dead-letters redrive --group 3fa91c02 --dry-run",
      "  onceward dead-letters redrive --type store.credentials_submitted --from 2h --yes"
    })
final class RedriveDeadLetters implements Callable<Integer> {

  @Mixin private OpsOptions options = new OpsOptions();

  @Mixin private Targets targets = new Targets();

  @Mixin private @Nullable ChangeOptions changeOptions;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws SQLException {
    targets.check(spec);
    ChangeOptions change = Objects.requireNonNull(changeOptions, "set by picocli");
    return new ChangeFlow(spec, options, change)
        .run(
            targets,
            DeadLetter.REDRIVEN,
            null,
            (letters, command, chosen, outcome) ->
                new Redrive(letters, command, outcome).run(chosen));
  }
}

package dev.onceward.ops.deadletter;

import dev.onceward.db.secret.SecretGuard;
import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.change.ChangeOptions;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onceward dead-letters discard}. */
@Command(
    name = "discard",
    mixinStandardHelpOptions = true,
    description = {
      "Says of dead letters that nobody will try them again, and why.",
      "Nothing is deleted: list --discarded and show still have them."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:all of them are discarded",
      "1:nothing matches, or some could not be discarded; each is named",
      "2:wrong command line",
      "3:wrong settings",
      "4:the database or Kafka is away"
    },
    footer = {
      "",
      "Examples:",
      "  onceward dead-letters discard --group 3fa91c02 --reason 'the shop was closed'",
      "  onceward dead-letters discard onceward.store-dead-letter/0/17 --reason 'a test' --yes"
    })
final class DiscardDeadLetters implements Callable<Integer> {

  private static final int MAX_REASON = 500;

  @Mixin private OpsOptions options = new OpsOptions();

  @Mixin private Targets targets = new Targets();

  @Option(
      names = "--reason",
      required = true,
      paramLabel = "TEXT",
      description = "Why; kept for good, at most 500 characters, without secrets.")
  private String reason = "";

  @Mixin private @Nullable ChangeOptions changeOptions;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws SQLException {
    targets.check(spec);
    String why = reason.strip();
    String wrong = wrongWith(why);
    if (wrong != null) {
      throw new ParameterException(spec.commandLine(), wrong);
    }
    ChangeOptions change = Objects.requireNonNull(changeOptions, "set by picocli");
    return new ChangeFlow(spec, options, change)
        .run(
            targets,
            DeadLetter.DISCARDED,
            why,
            (letters, command, chosen, outcome) ->
                new Discard(letters, command, outcome).run(chosen));
  }

  /** What is wrong with a reason; null if it can be kept. */
  static @Nullable String wrongWith(String why) {
    if (why.isEmpty()
        || why.length() > MAX_REASON
        || why.chars().anyMatch(Character::isISOControl)) {
      return "the reason must have 1 to 500 characters on one line";
    }
    return SecretGuard.isSecretInText(why)
        ? "the reason holds what looks like a secret; it would be kept for good"
        : null;
  }
}

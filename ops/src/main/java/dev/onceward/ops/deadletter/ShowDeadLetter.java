package dev.onceward.ops.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.show.TextTable;
import dev.onceward.process.ExitCode;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code onceward dead-letters show}. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description = "Shows one dead letter and what was done to it, without its content.",
    footer = {
      "",
      "Examples:",
      "  onceward dead-letters show 019c2f0e-7a50-7c11-9d3e-0b5a4f6c1d22",
      "  onceward dead-letters show onceward.store-dead-letter/0/17 --payload"
    })
final class ShowDeadLetter implements Callable<Integer> {

  @Mixin private OpsOptions options = new OpsOptions();

  @Parameters(
      index = "0",
      paramLabel = "ID",
      description = "An operation, an event, or topic/partition/topic-offset of a record.")
  private String id = "";

  @Option(
      names = "--kind",
      split = ",",
      paramLabel = "KIND",
      description = "Only where it may lie: ${COMPLETION-CANDIDATES}. Only RECORD needs Kafka.")
  private Set<DeadLetterKind> kinds = EnumSet.noneOf(DeadLetterKind.class);

  @Option(names = "--payload", description = "Shows the content too. It may be personal data.")
  private boolean withPayload;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws SQLException {
    try (DeadLetters letters = DeadLetters.open(options, OpsOptions.READING_ROLE)) {
      DeadLetter letter = letters.find(id, DeadLetterFilter.ofKinds(kinds));
      List<DeadLetterActStore.Act> history =
          DeadLetterActStore.history(letters.connection(), letter);
      @Nullable String payload = withPayload ? payload(letters, letter).orElse(null) : null;
      PrintWriter out = spec.commandLine().getOut();
      if (options.json()) {
        out.println(OpsOptions.toJson(new Shown(ListedLetter.of(letter), history, payload)));
      } else {
        print(letter, history, out);
        if (withPayload) {
          line(out, "payload", payload == null ? "(not known any more)" : payload);
        }
      }
      out.flush();
    }
    return ExitCode.OK.number();
  }

  /**
   * One dead letter as JSON.
   *
   * @param payload null unless it was asked for and is known
   */
  record Shown(
      ListedLetter deadLetter, List<DeadLetterActStore.Act> history, @Nullable String payload) {}

  static Optional<String> payload(DeadLetters letters, DeadLetter letter) throws SQLException {
    return switch (letter.kind()) {
      case PARKED -> letters.parked().payload(Objects.requireNonNull(letter.eventId()));
      case OPERATION -> letters.operations().payload(Objects.requireNonNull(letter.eventId()));
      case RECORD ->
          letters
              .records()
              .find(letters.connection(), RecordPlace.parse(letter.id()).orElseThrow())
              .map(found -> found.record().value())
              .map(value -> new String(value, UTF_8));
    };
  }

  private static void print(
      DeadLetter letter, List<DeadLetterActStore.Act> history, PrintWriter out) {
    line(out, "kind", letter.kind().label());
    line(out, "id", letter.id());
    line(out, "state", letter.state());
    line(out, "event", letter.eventId());
    line(out, "event type", letter.eventType());
    line(out, "workspace", letter.workspaceId());
    line(out, "code", letter.code());
    line(out, "summary", letter.summary());
    line(out, "group", letter.cause().groupId());
    line(out, "tried", letter.attempts());
    line(out, "redriven", letter.redrives());
    line(out, "at", letter.at());
    for (DeadLetterActStore.Act act : history) {
      line(
          out,
          act.act(),
          act.at()
              + " by "
              + act.by()
              + (act.reason() == null ? "" : ": " + act.reason())
              + " (was "
              + act.code()
              + " after "
              + act.attempts()
              + " attempts, replay "
              + act.replayId()
              + ")");
    }
  }

  private static void line(PrintWriter out, String name, @Nullable Object value) {
    String text = value == null ? "-" : TextTable.printable(value.toString());
    out.println(String.format(Locale.ROOT, "%-12s%s", name, text));
  }
}

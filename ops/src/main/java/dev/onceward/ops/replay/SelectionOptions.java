package dev.onceward.ops.replay;

import dev.onceward.ops.AggregateArgument;
import dev.onceward.ops.SpanArgument;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Says which events are wanted (a mixin); all that is given must hold. Confined to one thread. */
final class SelectionOptions {

  @Option(
      names = "--last",
      converter = SpanArgument.class,
      paramLabel = "SPAN",
      description = "Events of the last 90s, 10m, 2h, 7d. Instead of --from and --to.")
  private @Nullable Duration last;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Events at or after it, such as 2026-01-31T08:00:00Z.")
  private @Nullable Instant from;

  @Option(names = "--to", paramLabel = "TIME", description = "Events before it.")
  private @Nullable Instant to;

  @Option(
      names = "--from-xid",
      paramLabel = "XID",
      description = "Events of this transaction and later ones.")
  private @Nullable Long fromXid;

  @Option(
      names = "--to-xid",
      paramLabel = "XID",
      description = "Events of this transaction and earlier ones.")
  private @Nullable Long toXid;

  @Option(
      names = "--from-event",
      paramLabel = "ID",
      description = "This event and those with higher ids.")
  private @Nullable UUID fromEvent;

  @Option(
      names = "--to-event",
      paramLabel = "ID",
      description = "This event and those with lower ids.")
  private @Nullable UUID toEvent;

  @Option(names = "--type", paramLabel = "TYPE", description = "Events of this type.")
  private @Nullable String eventType;

  @Option(
      names = "--aggregate",
      paramLabel = "TYPE[/ID]",
      converter = AggregateArgument.Converter.class,
      description = "Events of this type of aggregate, or of this one aggregate.")
  private @Nullable AggregateArgument aggregate;

  @Option(names = "--workspace", paramLabel = "ID", description = "Events of this workspace.")
  private @Nullable UUID workspaceId;

  @Option(names = "--all", description = "Every event that the outbox holds.")
  private boolean all;

  /**
   * What was given.
   *
   * @param now for {@code --last}
   * @throws ParameterException if nothing was given, or no event can be all of it
   */
  EventSelection selection(CommandSpec spec, Instant now) {
    if (last != null && (from != null || to != null)) {
      throw wrong(spec, "--last is a range of times of its own: leave --from and --to out");
    }
    if (last != null && (last.isZero() || last.isNegative())) {
      throw wrong(spec, "--last " + last + " is an empty range");
    }
    EventSelection selection;
    try {
      selection =
          new EventSelection(
              last == null ? from : now.minus(last),
              last == null ? to : null,
              fromXid,
              toXid,
              fromEvent,
              toEvent,
              eventType,
              aggregate == null ? null : aggregate.type(),
              aggregate == null ? null : aggregate.id(),
              workspaceId);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw wrong(spec, "No event can be that: " + e.getMessage());
    }
    if (from != null && from.isAfter(now)) {
      throw wrong(spec, "No event can be that: --from " + from + " is still to come");
    }
    if (selection.holdsEverything() != all) {
      throw wrong(
          spec,
          all
              ? "--all and another choice contradict each other"
              : "Say which events: --last, --from, --type, --aggregate, --workspace, …, or --all");
    }
    return selection;
  }

  private static ParameterException wrong(CommandSpec spec, String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}

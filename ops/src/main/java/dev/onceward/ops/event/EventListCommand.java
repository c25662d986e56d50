package dev.onceward.ops.event;

import dev.onceward.ops.AggregateArgument;
import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.TimeArgument;
import dev.onceward.ops.show.TextTable;
import dev.onceward.process.ExitCode;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onceward events list}. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "Lists events that the outbox holds, newest first, and how far each is.",
    footer = {
      "",
      "Examples:",
      "  onceward events list --status pending",
      "  onceward events list --aggregate store/0190e0a4-0000-7000-8000-000000000001 --from 2h",
      "  onceward events list --type store.credentials_submitted --limit 200 --output json"
    })
final class EventListCommand implements Callable<Integer> {

  private static final int MOST = 10_000;

  @Mixin private OpsOptions options = new OpsOptions();

  @Option(names = "--workspace", paramLabel = "ID", description = "Only of this workspace.")
  private @Nullable UUID workspaceId;

  @Option(names = "--type", paramLabel = "TYPE", description = "Only of this event type.")
  private @Nullable String eventType;

  @Option(
      names = "--aggregate",
      paramLabel = "TYPE[/ID]",
      converter = AggregateArgument.Converter.class,
      description = "Only of this aggregate, or of all of this type.")
  private @Nullable AggregateArgument aggregate;

  @Option(names = "--status", paramLabel = "STATUS", description = "${COMPLETION-CANDIDATES}.")
  private @Nullable EventStatus status;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      converter = TimeArgument.class,
      description = "From then on: 2026-01-31T12:00:00Z, or how long ago: 10m, 2h, 7d.")
  private @Nullable Instant from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      converter = TimeArgument.class,
      description = "Before then.")
  private @Nullable Instant to;

  @Option(
      names = "--limit",
      paramLabel = "COUNT",
      defaultValue = "50",
      description = "At most so many, 1 to 10000 (default: ${DEFAULT-VALUE}).")
  private int limit = 50;

  @Option(
      names = "--after",
      paramLabel = "EVENT",
      description = "Goes on behind this event, the last of the page before.")
  private @Nullable UUID after;

  @Spec private CommandSpec spec = CommandSpec.create();

  /**
   * A page as JSON.
   *
   * @param nextAfter what to give as --after for the next page; null if this is the last
   */
  record Page(List<ListedEvent> events, @Nullable UUID nextAfter) {}

  @Override
  public Integer call() throws SQLException {
    EventFilter filter = filter();
    List<ListedEvent> found;
    try (Connection connection = options.connect(options.settings(), OpsOptions.READING_ROLE)) {
      connection.setReadOnly(true);
      found = EventListStore.list(connection, filter);
    }
    boolean more = found.size() > limit;
    List<ListedEvent> events = more ? found.subList(0, limit) : found;
    print(new Page(events, more ? events.get(limit - 1).id() : null));
    return ExitCode.OK.number();
  }

  /** Asks for one more than wanted, to know whether there is a next page. */
  private EventFilter filter() {
    if (limit < 1 || limit > MOST) {
      throw usage("--limit must be 1 to " + MOST);
    }
    if (from != null && to != null && !from.isBefore(to)) {
      throw usage("--from " + from + " is not before --to " + to + ": the range is empty");
    }
    return new EventFilter(
        from,
        to,
        workspaceId,
        eventType,
        aggregate == null ? null : aggregate.type(),
        aggregate == null ? null : aggregate.id(),
        status,
        after,
        limit + 1);
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private void print(Page page) {
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(page));
    } else if (page.events.isEmpty()) {
      out.println("No events.");
    } else {
      TextTable table =
          new TextTable("EVENT", "TIME", "TYPE", "AGGREGATE", "STATUS", "OPERATION", "WORKSPACE");
      for (ListedEvent event : page.events) {
        table.row(
            event.id(),
            event.occurredAt(),
            event.eventType(),
            event.aggregateType() + "/" + event.aggregateId(),
            event.status(),
            event.operationState(),
            event.workspaceId());
      }
      table.print(out);
      if (page.nextAfter != null) {
        out.println("There are more: --after " + page.nextAfter);
      }
    }
    out.flush();
  }
}

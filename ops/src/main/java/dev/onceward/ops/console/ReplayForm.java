package dev.onceward.ops.console;

import dev.onceward.ops.AggregateArgument;
import dev.onceward.ops.SpanArgument;
import dev.onceward.ops.console.http.Request;
import dev.onceward.ops.replay.EventSelection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/**
 * Which events are to be replayed, and how. Immutable.
 *
 * @param selection always with an end, so that what is written meanwhile is not part of it
 * @param toTopic a private topic; null if each event goes to its own
 * @param rate events per second
 */
record ReplayForm(EventSelection selection, @Nullable String toTopic, int rate) {
  private static final int DEFAULT_RATE = 1000;
  private static final int MAX_RATE = 1_000_000;

  static final List<String> FIELDS =
      List.of(
          "last",
          "from",
          "to",
          "type",
          "aggregate",
          "workspace",
          "fromEvent",
          "toEvent",
          "all",
          "toTopic",
          "rate");

  /**
   * Reads a form.
   *
   * @param now the end, where none is named
   */
  static ReplayForm of(Request request, Instant now) {
    Instant from = Typed.time("From", request.field("from"));
    Instant to = Typed.time("Before", request.field("to"));
    Duration last = span(request.field("last"));
    if (last != null && (from != null || to != null)) {
      throw new BadInputException(
          "“The last …” is a range of its own: leave from and before empty");
    }
    if (from != null && from.isAfter(now)) {
      throw new BadInputException("From " + from + " is still to come");
    }
    AggregateArgument aggregate = Typed.aggregate(request.field("aggregate"));
    EventSelection chosen;
    try {
      chosen =
          new EventSelection(
              last == null ? from : now.minus(last),
              to == null ? now : to,
              null,
              null,
              Typed.uuid("From event", request.field("fromEvent")),
              Typed.uuid("Up to event", request.field("toEvent")),
              request.field("type"),
              aggregate == null ? null : aggregate.type(),
              aggregate == null ? null : aggregate.id(),
              Typed.uuid("Workspace", request.field("workspace")));
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new BadInputException("No event can be that: " + e.getMessage());
    }
    boolean all = request.field("all") != null;
    if (FIELDS.stream()
            .filter(field -> !List.of("all", "toTopic", "rate").contains(field))
            .allMatch(field -> request.field(field) == null)
        && !all) {
      throw new BadInputException(
          "Say which events: the last …, from, type, aggregate, workspace, …, or tick “every"
              + " event”");
    }
    return new ReplayForm(
        chosen,
        request.field("toTopic"),
        Typed.number("Events per second", request.field("rate"), DEFAULT_RATE, 1, MAX_RATE));
  }

  private static @Nullable Duration span(@Nullable String text) {
    if (text == null) {
      return null;
    }
    Duration span;
    try {
      span = new SpanArgument().convert(text);
    } catch (TypeConversionException e) {
      throw new BadInputException("The last: " + e.getMessage());
    }
    if (span.isZero()) {
      throw new BadInputException("The last " + text + " is an empty range");
    }
    return span;
  }

  /**
   * The same, ending with the last event that a dry run chose: what is proven to be in Kafka after
   * the dry run is not part of it.
   */
  ReplayForm upTo(UUID lastEvent) {
    return new ReplayForm(
        new EventSelection(
            selection.from(),
            selection.to(),
            null,
            null,
            selection.fromEvent(),
            lastEvent,
            selection.eventType(),
            selection.aggregateType(),
            selection.aggregateId(),
            selection.workspaceId()),
        toTopic,
        rate);
  }

  /** The same as fields of a form, with fixed times. */
  Map<String, String> fields() {
    Map<String, String> fields = new LinkedHashMap<>();
    put(fields, "from", selection.from());
    put(fields, "to", selection.to());
    put(fields, "type", selection.eventType());
    put(fields, "aggregate", aggregate());
    put(fields, "workspace", selection.workspaceId());
    put(fields, "fromEvent", selection.fromEvent());
    put(fields, "toEvent", selection.toEvent());
    put(fields, "toTopic", toTopic);
    put(fields, "rate", rate);
    return fields;
  }

  /** The same as options of the command. */
  String options() {
    Map<String, String> names =
        Map.of("fromEvent", "from-event", "toEvent", "to-event", "toTopic", "to-topic");
    List<String> options = new ArrayList<>();
    fields()
        .forEach((name, value) -> options.add("--" + names.getOrDefault(name, name) + "=" + value));
    return String.join(" ", options);
  }

  private @Nullable String aggregate() {
    return selection.aggregateId() == null
        ? selection.aggregateType()
        : selection.aggregateType() + "/" + selection.aggregateId();
  }

  private static void put(Map<String, String> fields, String name, @Nullable Object value) {
    if (value != null) {
      fields.put(name, value.toString());
    }
  }
}

package dev.onceward.ops.deadletter;

import dev.onceward.ops.TimeArgument;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Which dead letters are meant. Each option narrows; confined to the command's thread. */
public final class DeadLetterFilter {

  private static final Pattern GROUP_ID = Pattern.compile("[0-9a-f]{8}");

  @Option(
      names = "--kind",
      split = ",",
      paramLabel = "KIND",
      description = "Only where they lie: ${COMPLETION-CANDIDATES}. Only RECORD needs Kafka.")
  private Set<DeadLetterKind> kinds = EnumSet.noneOf(DeadLetterKind.class);

  @Option(names = "--type", paramLabel = "TYPE", description = "Only of this event type.")
  private @Nullable String eventType;

  @Option(names = "--code", paramLabel = "CODE", description = "Only with this code.")
  private @Nullable String code;

  @Option(names = "--workspace", paramLabel = "ID", description = "Only of this workspace.")
  private @Nullable UUID workspaceId;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      converter = TimeArgument.class,
      description = "Only dead since: 2026-01-31T12:00:00Z, or how long ago, such as 1h.")
  private @Nullable Instant since;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      converter = TimeArgument.class,
      description = "Only dead before that; written the same way.")
  private @Nullable Instant until;

  @Option(
      names = "--group",
      paramLabel = "GROUP",
      description = "Only of this group, as groups shows its id.")
  private @Nullable String groupId;

  /** All of these kinds; all if there is none. */
  static DeadLetterFilter ofKinds(Set<DeadLetterKind> kinds) {
    DeadLetterFilter filter = new DeadLetterFilter();
    filter.kinds = kinds;
    return filter;
  }

  /**
   * A filter whose words do not come from a command line.
   *
   * @param kind only where it lies: parked, operation or record; null for all
   * @param eventType only of this type; null for all
   * @param code only with this code; null for all
   * @param workspaceId only of this workspace; null for all
   * @param since only dead since; null for all
   * @param until only dead before; null for all
   * @param groupId only of this group; null for all
   * @throws IllegalArgumentException naming what cannot match anything
   */
  public static DeadLetterFilter of(
      @Nullable String kind,
      @Nullable String eventType,
      @Nullable String code,
      @Nullable UUID workspaceId,
      @Nullable Instant since,
      @Nullable Instant until,
      @Nullable String groupId) {
    DeadLetterFilter filter = new DeadLetterFilter();
    if (kind != null) {
      filter.kinds =
          EnumSet.of(
              Arrays.stream(DeadLetterKind.values())
                  .filter(known -> known.label().equals(kind))
                  .findFirst()
                  .orElseThrow(() -> new IllegalArgumentException("\"" + kind + "\" is no kind")));
    }
    filter.eventType = eventType;
    filter.code = code;
    filter.workspaceId = workspaceId;
    filter.since = since;
    filter.until = until;
    filter.groupId = groupId;
    String wrong = filter.contradiction();
    if (wrong != null) {
      throw new IllegalArgumentException(wrong);
    }
    return filter;
  }

  /** Refuses what cannot match anything. */
  void check(CommandSpec spec) {
    String wrong = contradiction();
    if (wrong != null) {
      throw new ParameterException(spec.commandLine(), wrong);
    }
  }

  private @Nullable String contradiction() {
    if (since != null && until != null && !since.isBefore(until)) {
      return "the range is empty: --from " + since + " --to " + until;
    }
    return groupId != null && !GROUP_ID.matcher(groupId).matches()
        ? "\"" + groupId + "\" is no group: its id has eight hexadecimal digits; see groups"
        : null;
  }

  /** The same, but of these kinds. */
  DeadLetterFilter ofKindsOnly(Set<DeadLetterKind> others) {
    DeadLetterFilter filter = new DeadLetterFilter();
    filter.kinds = others;
    filter.eventType = eventType;
    filter.code = code;
    filter.workspaceId = workspaceId;
    filter.since = since;
    filter.until = until;
    filter.groupId = groupId;
    return filter;
  }

  /** Whether it narrows nothing: the kind alone is no filter, since it means all of a place. */
  boolean isEmpty() {
    return eventType == null
        && code == null
        && workspaceId == null
        && since == null
        && until == null
        && groupId == null;
  }

  boolean wants(DeadLetterKind kind) {
    return kinds.isEmpty() || kinds.contains(kind);
  }

  @Nullable UUID workspaceId() {
    return workspaceId;
  }

  @Nullable Instant since() {
    return since;
  }

  @Nullable Instant until() {
    return until;
  }

  boolean matches(DeadLetter letter) {
    return wants(letter.kind())
        && (eventType == null || eventType.equals(letter.eventType()))
        && (code == null || code.equals(letter.code()))
        && (workspaceId == null || workspaceId.equals(letter.workspaceId()))
        && (since == null || !letter.at().isBefore(since))
        && (until == null || letter.at().isBefore(until))
        && (groupId == null || groupId.equals(letter.cause().groupId()));
  }
}

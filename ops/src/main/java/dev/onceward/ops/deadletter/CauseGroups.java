package dev.onceward.ops.deadletter;

import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** Folds dead letters by their cause. Confined to one thread. */
public final class CauseGroups {

  /**
   * One group.
   *
   * @param id stable: it depends on the cause alone
   * @param count how many dead letters
   * @param kinds how many of each kind
   * @param workspaces how many workspaces they are of
   * @param firstAt of the oldest
   * @param lastAt of the newest
   * @param example the id of the newest
   */
  public record Group(
      String id,
      long count,
      Map<String, Long> kinds,
      String eventType,
      String code,
      String summary,
      int workspaces,
      Instant firstAt,
      Instant lastAt,
      String example) {}

  private final Map<Cause, Fold> folds = new HashMap<>();

  void add(DeadLetter letter) {
    folds.computeIfAbsent(letter.cause(), ignored -> new Fold(letter)).add(letter);
  }

  /** The largest first. */
  List<Group> groups() {
    return folds.entrySet().stream()
        .map(one -> one.getValue().group(one.getKey()))
        .sorted(
            Comparator.comparingLong(Group::count)
                .reversed()
                .thenComparing(Group::lastAt, Comparator.reverseOrder())
                .thenComparing(Group::id))
        .toList();
  }

  private static final class Fold {
    private final Map<DeadLetterKind, Long> kinds = new EnumMap<>(DeadLetterKind.class);
    private final Set<UUID> workspaces = new HashSet<>();
    private long count;
    private DeadLetter oldest;
    private DeadLetter newest;

    Fold(DeadLetter first) {
      oldest = first;
      newest = first;
    }

    void add(DeadLetter letter) {
      count++;
      kinds.merge(letter.kind(), 1L, Long::sum);
      if (letter.workspaceId() != null) {
        workspaces.add(letter.workspaceId());
      }
      if (letter.at().isBefore(oldest.at())) {
        oldest = letter;
      }
      if (!letter.at().isBefore(newest.at())) {
        newest = letter;
      }
    }

    Group group(Cause cause) {
      Map<String, Long> counts = new TreeMap<>();
      kinds.forEach((kind, number) -> counts.put(kind.label(), number));
      return new Group(
          cause.groupId(),
          count,
          counts,
          cause.eventType(),
          cause.code(),
          cause.summary(),
          workspaces.size(),
          oldest.at(),
          newest.at(),
          newest.id());
    }
  }
}

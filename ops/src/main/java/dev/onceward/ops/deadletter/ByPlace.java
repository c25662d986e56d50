package dev.onceward.ops.deadletter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** Sorts chosen dead letters by where they are changed. Stateless. */
final class ByPlace {

  private static final int CHUNK = 500;

  private ByPlace() {}

  static List<DeadLetter> of(DeadLetterKind kind, List<DeadLetter> chosen) {
    return chosen.stream().filter(letter -> letter.kind() == kind).toList();
  }

  /** So many of one workspace as one transaction takes. */
  static Map<UUID, List<List<DeadLetter>>> chunks(DeadLetterKind kind, List<DeadLetter> chosen) {
    Map<UUID, List<List<DeadLetter>>> chunks = new LinkedHashMap<>();
    for (DeadLetter letter : of(kind, chosen)) {
      List<List<DeadLetter>> own =
          chunks.computeIfAbsent(
              Objects.requireNonNull(letter.workspaceId()), ignored -> new ArrayList<>());
      if (own.isEmpty() || own.get(own.size() - 1).size() == CHUNK) {
        own.add(new ArrayList<>());
      }
      own.get(own.size() - 1).add(letter);
    }
    return chunks;
  }
}

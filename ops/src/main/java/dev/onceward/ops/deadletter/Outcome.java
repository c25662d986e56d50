package dev.onceward.ops.deadletter;

import dev.onceward.ops.show.Progress;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a change did, letter by letter. Confined to one thread. */
public final class Outcome {

  /** One that stays as it was. */
  public record Refused(String kind, String id, String why) {}

  private final Progress progress;
  private final Map<DeadLetterKind, Long> changed = new EnumMap<>(DeadLetterKind.class);
  private final List<Refused> refused = new ArrayList<>();

  /**
   * @param progress is told of each
   */
  Outcome(Progress progress) {
    this.progress = progress;
  }

  void changed(DeadLetter letter) {
    progress.advance(1);
    changed.merge(letter.kind(), 1L, Long::sum);
  }

  void refused(DeadLetter letter, String why) {
    progress.advance(1);
    refused.add(new Refused(letter.kind().label(), letter.id(), why));
  }

  List<Refused> refused() {
    return List.copyOf(refused);
  }

  /** How many, by kind. */
  Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    changed.forEach((kind, number) -> counts.put(kind.label(), number));
    return counts;
  }

  /** In a line, such as {@code operation 2, record 1, refused 1}. */
  String text() {
    Map<String, Long> all = new LinkedHashMap<>(counts());
    if (!refused.isEmpty()) {
      all.put("refused", (long) refused.size());
    }
    return all.isEmpty()
        ? "nothing"
        : all.entrySet().stream()
            .map(one -> one.getKey() + " " + one.getValue())
            .collect(Collectors.joining(", "));
  }
}

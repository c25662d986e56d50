package dev.onceward.ops.doctor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a check says. Immutable.
 *
 * @param state how it ended
 * @param found what is there
 * @param remedy what to do; null when all is well
 */
record Answer(CheckState state, String found, @Nullable String remedy) {

  static Answer ok(String found) {
    return new Answer(CheckState.OK, found, null);
  }

  static Answer warning(String found, String remedy) {
    return new Answer(CheckState.WARNING, found, remedy);
  }

  static Answer failed(String found, String remedy) {
    return new Answer(CheckState.FAILED, found, remedy);
  }

  /** Failed with all the problems, or well without one. */
  static Answer unless(List<String> problems, String fine, String remedy) {
    return problems.isEmpty() ? ok(fine) : failed(String.join("; ", problems), remedy);
  }
}

package dev.onceward.ops.doctor;

import org.jspecify.annotations.Nullable;

/**
 * A check and its answer. Immutable.
 *
 * @param id the check's name
 * @param state how it ended
 * @param found what is there
 * @param remedy what to do; null when all is well
 */
public record Finding(String id, CheckState state, String found, @Nullable String remedy) {

  static Finding of(String id, Answer answer) {
    return new Finding(id, answer.state(), answer.found(), answer.remedy());
  }
}

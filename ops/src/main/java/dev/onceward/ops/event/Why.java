package dev.onceward.ops.event;

import org.jspecify.annotations.Nullable;

/**
 * Why a thing is where it is. Immutable.
 *
 * @param finished whether nothing more will happen by itself and nothing is wrong
 * @param sentence in plain words, without its full stop
 * @param help the command that helps; null if none is needed
 */
public record Why(boolean finished, String sentence, @Nullable String help) {

  static Why finished(String sentence) {
    return new Why(true, sentence, null);
  }

  static Why waiting(String sentence) {
    return new Why(false, sentence, null);
  }

  static Why helpedBy(String help, String sentence) {
    return new Why(false, sentence, help);
  }
}

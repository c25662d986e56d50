package dev.onceward.ops.console.pipeline;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The samples of the last hour, oldest first. Thread-safe. */
public final class SampleHistory {
  private static final Duration KEPT = Duration.ofHours(1);

  private final Deque<Sample> samples = new ArrayDeque<>();

  synchronized void add(Sample sample) {
    samples.addLast(sample);
    while (samples.getFirst().at().isBefore(sample.at().minus(KEPT))) {
      samples.removeFirst();
    }
  }

  /** All of them. */
  public synchronized List<Sample> all() {
    return List.copyOf(samples);
  }
}

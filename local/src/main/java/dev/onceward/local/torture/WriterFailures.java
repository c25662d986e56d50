package dev.onceward.local.torture;

import java.util.ArrayList;
import java.util.List;

/**
 * What no fault accounts for: refusals and errors that a writer should never have met. Thread-safe.
 */
final class WriterFailures {

  private static final int KEPT = 20;

  private final List<String> first = new ArrayList<>();
  private long count;

  synchronized void add(String what) {
    count++;
    if (first.size() < KEPT) {
      first.add(what);
    }
  }

  synchronized Finding finding() {
    return new Finding(count, List.copyOf(first));
  }
}

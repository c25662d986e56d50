package dev.onceward.local.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Moments in milliseconds after the first. Confined to one thread. */
final class Timeline {

  private record Moment(Instant at, String what) {}

  private final Instant start;
  private final List<Moment> moments = new ArrayList<>();

  Timeline(Instant start, String what) {
    this.start = start;
    moments.add(new Moment(start, what));
  }

  void add(Instant at, String what) {
    moments.add(new Moment(at, what));
  }

  /** One line per moment, in the order in which they happened. */
  List<String> lines() {
    return moments.stream()
        .sorted(Comparator.comparing(Moment::at))
        .map(
            moment ->
                String.format(
                    Locale.ROOT,
                    "%8.1f ms  %s",
                    Duration.between(start, moment.at()).toNanos() / 1e6,
                    moment.what()))
        .toList();
  }
}

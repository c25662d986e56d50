package dev.onceward.local.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * An endless schedule: every kind of fault of every part once, in an order that the seed decides,
 * then again in another order. Confined to one thread.
 */
final class FaultPlan {

  private static final double OVERLAPPING = 0.2;
  private static final double LONG = 0.35;
  private static final int SHORTEST_MILLIS = 200;
  private static final int SHORT_MILLIS = 6_000;
  private static final int LONG_MILLIS = 15_000;
  private static final int LONG_SPREAD_MILLIS = 5_000;
  private static final int PAUSE_MILLIS = 4_000;

  private final List<Target> targets;
  private final Random random;
  private final List<Card> deck = new ArrayList<>();

  /**
   * @param targets at least one; in the order of their constants
   */
  FaultPlan(long seed, Set<Target> targets) {
    this.targets = List.copyOf(targets);
    this.random = new Random(seed);
  }

  /** The next fault. */
  PlannedFault next() {
    if (deck.isEmpty()) {
      fill();
    }
    Card card = deck.remove(deck.size() - 1);
    // What others need stays away long enough, often enough, for its absence to be due in every
    // answer.
    boolean isLong = random.nextDouble() < LONG && card.target.isNeeded();
    long hold =
        isLong
            ? LONG_MILLIS + random.nextInt(LONG_SPREAD_MILLIS)
            : SHORTEST_MILLIS + random.nextInt(SHORT_MILLIS);
    return new PlannedFault(
        Duration.ofMillis(random.nextInt(PAUSE_MILLIS)),
        card.target,
        card.kind,
        Duration.ofMillis(hold),
        !isLong && random.nextDouble() < OVERLAPPING);
  }

  private void fill() {
    for (Target target : targets) {
      target.kinds().forEach(kind -> deck.add(new Card(target, kind)));
    }
    Collections.shuffle(deck, random);
  }

  private record Card(Target target, FaultKind kind) {}
}

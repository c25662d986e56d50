package dev.onceward.local.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

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

  private final Random random;
  private final List<Card> deck = new ArrayList<>();

  FaultPlan(long seed) {
    this.random = new Random(seed);
  }

  /** The next fault. */
  PlannedFault next() {
    if (deck.isEmpty()) {
      fill();
    }
    Card card = deck.remove(deck.size() - 1);
    // A server stays away long enough, often enough, for its absence to be due in every answer.
    boolean isLong = random.nextDouble() < LONG && card.target.isServer();
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
    for (Target target : Target.values()) {
      deck.add(new Card(target, FaultKind.KILL));
      deck.add(new Card(target, FaultKind.RESTART));
      deck.add(
          new Card(target, target == Target.POSTGRES ? FaultKind.IMMEDIATE : FaultKind.FREEZE));
    }
    Collections.shuffle(deck, random);
  }

  private record Card(Target target, FaultKind kind) {}
}

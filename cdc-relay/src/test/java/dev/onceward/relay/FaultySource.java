package dev.onceward.relay;

import dev.onceward.relay.capture.CaptureException;
import dev.onceward.relay.capture.CapturedEvent;
import dev.onceward.relay.capture.ChangeBatch;
import dev.onceward.relay.capture.ChangeHandler;
import dev.onceward.relay.capture.ChangeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A source with defects: of what another yields it drops, repeats and reorders one in a hundred, or
 * only drops.
 */
final class FaultySource implements ChangeSource {
  final AtomicInteger dropped = new AtomicInteger();
  final AtomicInteger repeated = new AtomicInteger();

  private final ChangeSource source;
  private final Random random = new Random(11);
  private final List<CapturedEvent> earlier = new ArrayList<>();

  private final boolean onlyDrops;

  FaultySource(ChangeSource source) {
    this(source, false);
  }

  private FaultySource(ChangeSource source, boolean onlyDrops) {
    this.source = source;
    this.onlyDrops = onlyDrops;
  }

  static FaultySource thatOnlyDrops(ChangeSource source) {
    return new FaultySource(source, true);
  }

  @Override
  public void run(ChangeHandler handler) throws CaptureException {
    source.run(batch -> handler.handle(new ChangeBatch(spoil(batch.events()), batch.messages())));
  }

  private List<CapturedEvent> spoil(List<CapturedEvent> events) {
    List<CapturedEvent> spoiled = new ArrayList<>();
    for (CapturedEvent event : events) {
      int defect = random.nextInt(100);
      switch (onlyDrops && defect > 0 ? 100 : defect) {
        case 0 -> dropped.incrementAndGet();
        case 1 -> {
          spoiled.add(event);
          spoiled.add(event);
          repeated.incrementAndGet();
        }
        case 2 -> {
          spoiled.add(event);
          if (!earlier.isEmpty()) {
            spoiled.add(earlier.get(random.nextInt(earlier.size())));
            repeated.incrementAndGet();
          }
        }
        case 3 -> {
          spoiled.add(event);
          Collections.swap(spoiled, spoiled.size() - 1, random.nextInt(spoiled.size()));
        }
        default -> spoiled.add(event);
      }
      earlier.add(event);
    }
    return spoiled;
  }

  @Override
  public void close(Duration patience) {
    source.close(patience);
  }
}

package dev.onceward.relay.park;

import dev.onceward.db.relay.ParkedCount;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What parking tells, in metrics and health. One for the life of the process. Thread-safe. */
public final class ParkedStatus {
  private final Counter parked;
  private final Counter delivered;
  private final Counter dead;
  private volatile List<ParkedCount> pending = List.of();
  private volatile long deadLetters;
  private volatile @Nullable ParkedIndex index;

  public ParkedStatus(MeterRegistry registry) {
    parked =
        Counter.builder("onceward.parked.events")
            .description("Events that were parked, to be sent again by themselves.")
            .register(registry);
    delivered =
        Counter.builder("onceward.parked.delivered")
            .description("Parked events that Kafka has taken since.")
            .register(registry);
    dead =
        Counter.builder("onceward.parked.dead")
            .description("Events that became dead letters: refused, or out of attempts.")
            .register(registry);
    Gauge.builder("onceward.parked.pending", this, status -> (double) status.pendingEvents())
        .description("Parked events that wait for their topic.")
        .register(registry);
    Gauge.builder("onceward.parked.dead.letter", this, status -> (double) status.deadLetters)
        .description("Dead letters of the relay, which wait for an operator.")
        .register(registry);
  }

  /**
   * Why a topic's events do not arrive; empty if all do.
   *
   * @param patience how long an event may be parked before that counts
   */
  public Optional<String> trouble(Duration patience) {
    ParkedIndex current = index;
    Stream<String> troubles =
        current == null
            ? Stream.empty()
            : current.troubles().entrySet().stream()
                .map(
                    topic ->
                        "events of topic "
                            + topic.getKey()
                            + " are parked ("
                            + current.pending(topic.getKey())
                            + "): "
                            + topic.getValue().text());
    Stream<String> waiting =
        pending.stream()
            .filter(count -> count.oldest().compareTo(patience) > 0)
            .filter(count -> current == null || current.trouble(count.topic()) == null)
            .map(
                count ->
                    count.pending()
                        + " events of topic "
                        + count.topic()
                        + " are parked, the oldest for "
                        + count.oldest().toSeconds()
                        + " s");
    String all = Stream.concat(troubles, waiting).collect(Collectors.joining("; "));
    return all.isEmpty() ? Optional.empty() : Optional.of(all);
  }

  /** How many parked events wait. */
  public long pendingEvents() {
    return pending.stream().mapToLong(ParkedCount::pending).sum();
  }

  /** How many dead letters wait for an operator. */
  public long deadLetters() {
    return deadLetters;
  }

  void termBegan(ParkedIndex begun) {
    index = begun;
  }

  /** Another relay may go on: this one knows nothing any more. */
  void termEnded() {
    index = null;
    pending = List.of();
    deadLetters = 0;
  }

  void seen(List<ParkedCount> counted, long dead) {
    pending = counted;
    deadLetters = dead;
  }

  void parked(long events) {
    parked.increment((double) events);
  }

  void delivered(long events) {
    delivered.increment((double) events);
  }

  void died(long events) {
    dead.increment((double) events);
  }
}

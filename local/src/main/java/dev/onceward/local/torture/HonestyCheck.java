package dev.onceward.local.torture;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Holds what processes said about their health against the outages. Stateless. */
final class HonestyCheck {

  /** Who cannot make progress without a server. */
  private static final Map<String, Set<String>> NEED =
      Map.of(
          "kafka",
          Set.of("relay", "relay-2", "workers"),
          "postgres",
          Set.of("relay", "relay-2", "workers", "api"),
          NetworkPart.name("api"),
          Set.of("api"),
          NetworkPart.name("relay"),
          Set.of("relay"),
          NetworkPart.name("relay-2"),
          Set.of("relay-2"),
          NetworkPart.name("workers"),
          Set.of("workers"));

  private HonestyCheck() {}

  /**
   * Compares. An outage that is shorter than the bound need not be noticed.
   *
   * @param bound how soon it must be reported, and from then on at each question
   */
  static HonestyResult check(List<Outage> outages, List<HealthSample> samples, Duration bound) {
    FindingList dishonest = new FindingList();
    int judged = 0;
    Duration slowest = Duration.ZERO;
    for (Outage outage : outages) {
      Set<String> concerned = NEED.getOrDefault(outage.part(), Set.of());
      Instant due = outage.from().plus(bound);
      boolean slow = outage.kind() == FaultKind.SLOW; // there is progress
      if (slow || concerned.isEmpty() || !due.isBefore(outage.until())) {
        continue;
      }
      judged++;
      for (String service : concerned) {
        Instant lastReady = outage.from();
        for (HealthSample sample : samples) {
          boolean within =
              sample.service().equals(service)
                  && sample.askedAt().isAfter(outage.from())
                  && sample.answeredAt().isBefore(outage.until());
          if (within && sample.ready() && sample.askedAt().isAfter(lastReady)) {
            lastReady = sample.askedAt();
          }
        }
        Duration after = Duration.between(outage.from(), lastReady);
        if (lastReady.isAfter(due)) {
          dishonest.add(
              "%s said that it was ready %d ms into an outage of %s (%s at %s)"
                  .formatted(
                      service, after.toMillis(), outage.part(), outage.kind(), outage.from()));
        }
        slowest = slowest.compareTo(after) < 0 ? after : slowest;
      }
    }
    return new HonestyResult(judged, slowest, dishonest.finding());
  }
}

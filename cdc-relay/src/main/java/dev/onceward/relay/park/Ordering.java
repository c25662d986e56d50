package dev.onceward.relay.park;

/** What goes first when one topic does not take its events. */
public enum Ordering {
  /**
   * The other topics go on. The topic's events park, and later ones of the same aggregate behind
   * them. Failure: the order between aggregates is lost for what was parked.
   */
  AVAILABLE,

  /**
   * Nothing overtakes anything: no event is parked as pending. Failure: one topic in trouble stops
   * all, and the relay is DOWN with its name.
   */
  STRICT
}

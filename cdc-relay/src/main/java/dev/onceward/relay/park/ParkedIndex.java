package dev.onceward.relay.park;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which topics are in trouble and what later events must wait behind, as far as this term knows.
 * Thread-safe.
 */
final class ParkedIndex {
  private final ParkingSettings settings;
  private final Map<String, Waiting> topics = new HashMap<>();

  /** The topics that need a thought, so that an ordinary batch costs one look. */
  private volatile Set<String> touched = Set.of();

  /** One topic's share. */
  private static final class Waiting {
    final Map<Key, Integer> keys = new HashMap<>();
    int pending;
    @Nullable Trouble trouble;
    long troubledNanos;
  }

  /**
   * Why a topic does not take its events.
   *
   * @param text for an operator, with the topic's name
   * @param refused whether the cluster says so, rather than nothing
   */
  record Trouble(String text, boolean refused) {}

  /** Events with the same key keep their order. */
  record Key(UUID workspaceId, String partitionKey) {}

  /** What happens to an event. */
  enum Decision {
    SEND,
    /** It is counted as pending from now on. */
    PARK,
    /** Neither is allowed now. */
    WAIT
  }

  ParkedIndex(ParkingSettings settings) {
    this.settings = settings;
  }

  /** The topics about which {@link #decide} must be asked; of any other all may be sent. */
  Set<String> touched() {
    return touched;
  }

  /** Decides about an event. Decisions on one key in one pass must be made once. */
  synchronized Decision decide(String topic, Key key) {
    Waiting waiting = topics.get(topic);
    if (waiting == null || (waiting.trouble == null && !waiting.keys.containsKey(key))) {
      return Decision.SEND;
    }
    if (settings.ordering() == Ordering.STRICT || waiting.pending >= settings.pendingLimit()) {
      return Decision.WAIT;
    }
    add(topic, key);
    return Decision.PARK;
  }

  /** An event is pending. */
  synchronized void add(String topic, Key key) {
    Waiting waiting = topics.computeIfAbsent(topic, ignored -> new Waiting());
    waiting.keys.merge(key, 1, Integer::sum);
    waiting.pending++;
    publish();
  }

  /** An event is no longer pending, or was counted twice. */
  synchronized void remove(String topic, Key key) {
    Waiting waiting = topics.get(topic);
    Integer count = waiting == null ? null : waiting.keys.get(key);
    if (waiting == null || count == null) {
      return;
    }
    waiting.pending--;
    if (count == 1) {
      waiting.keys.remove(key);
    } else {
      waiting.keys.put(key, count - 1);
    }
    tidy(topic, waiting);
  }

  /** The topic does not take its events. Whether that is news. */
  synchronized boolean troubled(String topic, Trouble trouble) {
    Waiting waiting = topics.computeIfAbsent(topic, ignored -> new Waiting());
    boolean news = !trouble.equals(waiting.trouble);
    if (news) {
      waiting.trouble = trouble;
      waiting.troubledNanos = System.nanoTime();
    }
    publish();
    return news;
  }

  /** The topic takes events again. Whether that is news. */
  synchronized boolean cleared(String topic) {
    Waiting waiting = topics.get(topic);
    if (waiting == null || waiting.trouble == null) {
      return false;
    }
    waiting.trouble = null;
    tidy(topic, waiting);
    return true;
  }

  /**
   * Topics in trouble of which nothing is pending: there is nothing to try them with, so that the
   * next event must.
   *
   * @param age of the trouble: events that have just been decided on are not counted yet
   */
  synchronized Set<String> idle(Duration age) {
    Set<String> idle = new HashSet<>();
    topics.forEach(
        (topic, waiting) -> {
          if (waiting.trouble != null
              && waiting.pending == 0
              && System.nanoTime() - waiting.troubledNanos > age.toNanos()) {
            idle.add(topic);
          }
        });
    return idle;
  }

  private void tidy(String topic, Waiting waiting) {
    if (waiting.trouble == null && waiting.keys.isEmpty()) {
      topics.remove(topic);
    }
    publish();
  }

  private void publish() {
    if (!touched.equals(topics.keySet())) {
      touched = Set.copyOf(new HashSet<>(topics.keySet()));
    }
  }

  synchronized @Nullable Trouble trouble(String topic) {
    Waiting waiting = topics.get(topic);
    return waiting == null ? null : waiting.trouble;
  }

  synchronized int pending(String topic) {
    Waiting waiting = topics.get(topic);
    return waiting == null ? 0 : waiting.pending;
  }

  /** Topics in trouble → why. */
  synchronized Map<String, Trouble> troubles() {
    Map<String, Trouble> troubles = new TreeMap<>();
    topics.forEach(
        (topic, waiting) -> {
          if (waiting.trouble != null) {
            troubles.put(topic, waiting.trouble);
          }
        });
    return troubles;
  }
}

package dev.onceward.local.platform;

import dev.onceward.local.platform.PlatformCall.Fate;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The books of the simulated platform: every call and every effect, by idempotency key.
 *
 * <p>Thread-safe: one lock, so that the counts are always those of one moment. Lives in memory and
 * grows with the number of calls; {@link #clear()} empties it.
 */
public final class PlatformLedger {

  private final Clock clock;
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  /**
   * @param clock gives the time of each call
   */
  public PlatformLedger(Clock clock) {
    this.clock = clock;
  }

  /** All numbers at one moment. */
  public synchronized PlatformCounts counts() {
    long calls = 0;
    long effects = 0;
    long lost = 0;
    long failed = 0;
    for (Entry entry : entries.values()) {
      calls += entry.calls.size();
      effects += entry.effects;
      for (PlatformCall call : entry.calls) {
        lost += call.fate() == Fate.ANSWER_LOST ? 1 : 0;
        failed += call.fate() == Fate.FAILED ? 1 : 0;
      }
    }
    return new PlatformCounts(entries.size(), calls, effects, lost, failed);
  }

  /**
   * The calls made under a key, oldest first; empty when the key was never seen.
   *
   * @param key the idempotency key, which is the event id
   */
  public synchronized List<PlatformCall> calls(String key) {
    Entry entry = entries.get(key);
    return entry == null ? List.of() : List.copyOf(entry.calls);
  }

  /** The effects had under a key; 0 when it was never seen. */
  public synchronized int effects(String key) {
    Entry entry = entries.get(key);
    return entry == null ? 0 : entry.effects;
  }

  /** A copy of the whole book: the calls of each key, keys in the order of their first call. */
  public synchronized Map<String, List<PlatformCall>> snapshot() {
    Map<String, List<PlatformCall>> copy = new LinkedHashMap<>();
    entries.forEach((key, entry) -> copy.put(key, List.copyOf(entry.calls)));
    return copy;
  }

  /** Forgets everything. Calls still open afterwards are not booked again. */
  public synchronized void clear() {
    entries.clear();
  }

  /** Books the arrival of a call and returns its number under the key, from 0. */
  synchronized int arrive(String key) {
    Entry entry = entries.computeIfAbsent(key, unused -> new Entry());
    entry.calls.add(new PlatformCall(clock.instant(), Fate.OPEN, false));
    return entry.calls.size() - 1;
  }

  /**
   * Books an effect for a call, unless keys are honoured and the key has had its effect.
   *
   * @param answer what this call would answer
   * @return the answer to send: of the first effect under this key, when keys are honoured
   */
  synchronized byte[] effect(String key, int call, boolean keySupport, byte[] answer) {
    Entry entry = entries.get(key);
    if (entry == null || call >= entry.calls.size()) {
      return answer;
    }
    if (keySupport && entry.answer != null) {
      return entry.answer;
    }
    entry.effects++;
    entry.answer = answer;
    PlatformCall booked = entry.calls.get(call);
    entry.calls.set(call, new PlatformCall(booked.arrivedAt(), booked.fate(), true));
    return answer;
  }

  /** Books what became of a call. */
  synchronized void close(String key, int call, Fate fate) {
    Entry entry = entries.get(key);
    if (entry != null && call < entry.calls.size()) {
      PlatformCall booked = entry.calls.get(call);
      entry.calls.set(call, new PlatformCall(booked.arrivedAt(), fate, booked.effect()));
    }
  }

  private static final class Entry {
    private final List<PlatformCall> calls = new ArrayList<>();
    private int effects;
    private byte @Nullable [] answer;
  }
}

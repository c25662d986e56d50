package dev.onceward.local.matrix;

import java.util.List;

/**
 * One repetition of one cell: a line of the results. Immutable.
 *
 * @param build of the programs that were tried
 * @param postgres the server's major version
 * @param capture what read the log
 * @param moment label of the moment
 * @param victim label of the victim
 * @param at when it began
 * @param hit whether the moment was seen to be reached and to last until the kill; others do not
 *     count
 * @param misses tries before that
 * @param millis from its beginning to its end
 * @param restMillis of these, from the kill to rest
 * @param events committed
 * @param records of these on Kafka
 * @param lost committed events without a record, and events that a replay left out
 * @param phantoms records of what was rolled back or never written
 * @param changed records that are not what was written
 * @param overtaken records out of order
 * @param duplicates records beyond the first of their event; not promised away
 * @param repairs records that the relay's audit sent late; not promised away
 * @param operations how many there were
 * @param effects operations with more than one effect, or succeeded without any
 * @param extraCalls of the platform; not promised away
 * @param unfinished operations that did not succeed
 * @param answers requests that were executed twice or answered differently when repeated
 * @param unrest what did not come to rest, or was not answered
 * @param findings examples of all that was counted, for people
 */
public record TrialResult(
    String build,
    int postgres,
    String capture,
    String moment,
    String victim,
    String at,
    boolean hit,
    int misses,
    long millis,
    long restMillis,
    long events,
    long records,
    long lost,
    long phantoms,
    long changed,
    long overtaken,
    long duplicates,
    long repairs,
    long operations,
    long effects,
    long extraCalls,
    long unfinished,
    long answers,
    long unrest,
    List<String> findings) {

  /** Copies what can change. */
  public TrialResult {
    findings = List.copyOf(findings);
  }

  /** Whether it is one of these. */
  boolean isOf(Cell cell) {
    return moment.equals(cell.moment().label()) && victim.equals(cell.victim().label());
  }

  /** How much was found that must not be. */
  public long violations() {
    return lost + phantoms + changed + overtaken + effects + unfinished + answers + unrest;
  }
}

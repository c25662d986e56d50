package dev.onceward.local.torture;

/**
 * What the comparison of Kafka with the ledger has shown. Immutable.
 *
 * @param records on Kafka
 * @param repairs of these, sent late by the relay's audit
 * @param setAside committed events without a record that stand visibly in {@code parked_events}
 * @param lost committed events without a record
 * @param phantoms records of what was rolled back or never written
 * @param overtaken first records behind a later event of their aggregate, or in another partition
 * @param changed records that are not what was written, or differ from each other
 * @param duplicates records beyond the first of their event, repairs and replays apart
 */
public record RecordResult(
    long records,
    long repairs,
    long setAside,
    Finding lost,
    Finding phantoms,
    Finding overtaken,
    Finding changed,
    Finding duplicates) {}

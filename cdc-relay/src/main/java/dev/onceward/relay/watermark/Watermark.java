package dev.onceward.relay.watermark;

import dev.onceward.db.relay.Snapshot;
import java.time.Instant;

/**
 * A watermark that has come back: everything that its snapshot sees has come before it. Immutable.
 *
 * @param snapshot the finished transactions
 * @param lsn where its message ends in the log
 * @param takenAt when the snapshot was taken, by this machine's clock
 */
public record Watermark(Snapshot snapshot, long lsn, Instant takenAt) {}

/**
 * Writes events. An event exists if and only if the transaction that appended it committed; the
 * relay finds it in the write-ahead log, so nothing else needs to be told.
 */
@NullMarked
package dev.onceward.db.outbox;

import org.jspecify.annotations.NullMarked;

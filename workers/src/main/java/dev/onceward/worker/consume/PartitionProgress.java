package dev.onceward.worker.consume;

import java.util.ArrayDeque;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What of one partition is done, for the time of one assignment. The topic offset to commit is the
 * lowest one that is not finished, so that a crash repeats work but never skips any. Topic offsets
 * may have gaps (transaction markers, compaction): only those seen count. Thread-safe.
 */
final class PartitionProgress {

  /** One record between its arrival and the commit past it. */
  final class Entry implements Holding {
    private final long topicOffset;
    private final long sentAtMillis;
    private boolean finished;

    private Entry(long topicOffset, long sentAtMillis) {
      this.topicOffset = topicOffset;
      this.sentAtMillis = sentAtMillis;
    }

    @Override
    public boolean begin() {
      return PartitionProgress.this.begin();
    }

    @Override
    public void end() {
      PartitionProgress.this.end();
    }

    @Override
    public void secured() {} // committed when it is finished, so that health shows what is not

    @Override
    public void finished() {
      PartitionProgress.this.finished(this);
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition quiet = lock.newCondition();
  private final ArrayDeque<Entry> held = new ArrayDeque<>();
  private OptionalLong afterLastSeen = OptionalLong.empty();
  private OptionalLong committed = OptionalLong.empty();
  private int running;
  private boolean released;

  /**
   * Notes a record's arrival. Called in the order of topic offsets.
   *
   * @param sentAtMillis the record's own time, since the epoch
   */
  Entry arrived(long topicOffset, long sentAtMillis) {
    lock.lock();
    try {
      if (afterLastSeen.isPresent() && topicOffset < afterLastSeen.getAsLong()) {
        throw new IllegalStateException(
            "topic offset %d arrived after %d"
                .formatted(topicOffset, afterLastSeen.getAsLong() - 1));
      }
      Entry entry = new Entry(topicOffset, sentAtMillis);
      held.addLast(entry);
      afterLastSeen = OptionalLong.of(topicOffset + 1);
      return entry;
    } finally {
      lock.unlock();
    }
  }

  /** Whether this topic offset, or a higher one, has arrived. */
  boolean hasSeen(long topicOffset) {
    lock.lock();
    try {
      return afterLastSeen.isPresent() && topicOffset < afterLastSeen.getAsLong();
    } finally {
      lock.unlock();
    }
  }

  /** Notes that nothing more is to be done about a record. */
  void finished(Entry entry) {
    lock.lock();
    try {
      entry.finished = true;
      while (!held.isEmpty() && held.getFirst().finished) {
        held.removeFirst();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The topic offset up to which all is finished, if it has moved since the last commit. */
  OptionalLong toCommit() {
    lock.lock();
    try {
      if (afterLastSeen.isEmpty()) {
        return OptionalLong.empty();
      }
      OptionalLong lowest =
          held.isEmpty() ? afterLastSeen : OptionalLong.of(held.getFirst().topicOffset);
      return lowest.equals(committed) ? OptionalLong.empty() : lowest;
    } finally {
      lock.unlock();
    }
  }

  /** Notes that the broker has taken a commit. */
  void committed(long topicOffset) {
    lock.lock();
    try {
      committed = OptionalLong.of(topicOffset);
    } finally {
      lock.unlock();
    }
  }

  /** How many records lie between the committed topic offset and the newest one seen. */
  int held() {
    lock.lock();
    try {
      return held.size();
    } finally {
      lock.unlock();
    }
  }

  /** How many topic offsets lie between the lowest unfinished one and the end of what was seen. */
  long behind() {
    lock.lock();
    try {
      return held.isEmpty() ? 0 : afterLastSeen.orElseThrow() - held.getFirst().topicOffset;
    } finally {
      lock.unlock();
    }
  }

  /** The time of the lowest unfinished record, in milliseconds since the epoch; empty if none. */
  OptionalLong oldestMillis() {
    lock.lock();
    try {
      return held.isEmpty() ? OptionalLong.empty() : OptionalLong.of(held.getFirst().sentAtMillis);
    } finally {
      lock.unlock();
    }
  }

  /** Begins an attempt; false once the partition was released: then nothing may be begun. */
  boolean begin() {
    lock.lock();
    try {
      if (released) {
        return false;
      }
      running++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Ends an attempt begun with {@link #begin}. */
  void end() {
    lock.lock();
    try {
      running--;
      if (running == 0) {
        quiet.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** From now on no attempt begins: whoever gets the partition next will make it. */
  void release() {
    lock.lock();
    try {
      released = true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until no attempt runs.
   *
   * @return false if some still ran when the time was over
   */
  boolean awaitQuiet(long timeoutNanos) throws InterruptedException {
    lock.lock();
    try {
      long left = timeoutNanos;
      while (running > 0 && left > 0) {
        left = quiet.awaitNanos(left);
      }
      return running == 0;
    } finally {
      lock.unlock();
    }
  }
}

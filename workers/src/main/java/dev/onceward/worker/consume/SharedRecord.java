package dev.onceward.worker.consume;

/** A record that this member of a share group has acquired. Thread-safe. */
final class SharedRecord implements Holding {

  private final long sentAtMillis;
  private final Runnable decided;
  private boolean accepted;
  private boolean released;
  private boolean running;

  /**
   * Makes one.
   *
   * @param sentAtMillis the record's own time, since the epoch
   * @param decided to be run when the record is accepted
   */
  SharedRecord(long sentAtMillis, Runnable decided) {
    this.sentAtMillis = sentAtMillis;
    this.decided = decided;
  }

  @Override
  public synchronized boolean begin() {
    if (released) {
      return false;
    }
    running = true;
    return true;
  }

  @Override
  public synchronized void end() {
    running = false;
  }

  @Override
  public void secured() {
    finished();
  }

  @Override
  public void finished() {
    synchronized (this) {
      accepted = true;
    }
    decided.run();
  }

  long sentAtMillis() {
    return sentAtMillis;
  }

  synchronized boolean isAccepted() {
    return accepted;
  }

  /** Lets the record go unless an attempt runs; whether it did. */
  synchronized boolean release() {
    if (running || accepted) {
      return false;
    }
    released = true;
    return true;
  }

  /** The broker has given the record to somebody else: nothing of it may begin any more. */
  synchronized void lost() {
    released = true;
  }
}

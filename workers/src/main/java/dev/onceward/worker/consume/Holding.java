package dev.onceward.worker.consume;

/** A record's place at the broker while it is dealt with. Implementations are thread-safe. */
interface Holding {

  /** Begins an attempt; false once the record was let go: then nothing may be begun. */
  boolean begin();

  /** Ends an attempt begun with {@link #begin}. */
  void end();

  /** The broker need not keep the record for us: its task is ours by the table. */
  void secured();

  /** Nothing more is to be done about the record. */
  void finished();
}

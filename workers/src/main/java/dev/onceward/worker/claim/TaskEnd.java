package dev.onceward.worker.claim;

import java.util.Locale;

/** How an attempt ended for the operation. */
enum TaskEnd {
  /** The one effect is recorded. */
  SUCCEEDED("succeeded"),
  /** No attempt can help. */
  FAILED("failed"),
  /** Another attempt follows. */
  RETRIED("retried"),
  /** It was the last attempt. */
  DEAD("dead"),
  /** The worker stops; the attempt does not count. */
  HANDED_BACK("handed.back"),
  /** Somebody else has taken the operation over: nothing was written. */
  LEASE_LOST("lease.losses");

  private final String metric;

  TaskEnd(String metric) {
    this.metric = metric;
  }

  /** The last part of the counter's name. */
  String metric() {
    return metric;
  }

  /** For tags and logs. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}

package dev.onceward.local.platform;

import java.time.Instant;

/**
 * One request that reached the platform. Immutable.
 *
 * @param arrivedAt when it arrived, by the machine's clock
 * @param fate what became of it
 * @param effect whether this call had an effect
 */
public record PlatformCall(Instant arrivedAt, Fate fate, boolean effect) {

  /** What became of a call. */
  public enum Fate {
    /** Still being worked on. */
    OPEN,
    /** An answer was handed to the network. The caller may be gone all the same. */
    ANSWERED,
    /** It had its effect; the connection was closed without an answer, on purpose. */
    ANSWER_LOST,
    /** It was refused with a retriable status and had no effect. */
    FAILED,
    /** It was malformed, was answered 4xx and had no effect. */
    REJECTED
  }
}

package dev.onceward.local.platform;

import java.time.Duration;

/**
 * How the simulated platform treats its callers. Immutable.
 *
 * @param keySupport true: a key has at most one effect. false: each call is an effect
 * @param latency how long the platform works on a call before its effect; zero or more
 * @param lostAnswerShare the share of calls, from 0 to 1, that have their effect but get no answer
 * @param failureShare the share of calls, from 0 to 1, that are refused without an effect
 * @param failureStatus the status of a refused call: 429 or from 500 to 599
 */
public record PlatformBehaviour(
    boolean keySupport,
    Duration latency,
    double lostAnswerShare,
    double failureShare,
    int failureStatus) {

  /** The platform at its best: keys are honoured, every call is answered at once. */
  public static final PlatformBehaviour NORMAL =
      new PlatformBehaviour(true, Duration.ZERO, 0.0, 0.0, 503);

  /**
   * @throws IllegalArgumentException when a value is outside its range; the message names it
   */
  public PlatformBehaviour {
    if (latency.isNegative()) {
      throw new IllegalArgumentException("latency is " + latency + "; it must not be negative");
    }
    checkShare("lost answer share", lostAnswerShare);
    checkShare("failure share", failureShare);
    if (lostAnswerShare + failureShare > 1.0) {
      throw new IllegalArgumentException(
          "lost answer share "
              + lostAnswerShare
              + " and failure share "
              + failureShare
              + " add up to more than 1");
    }
    if (failureStatus != 429 && (failureStatus < 500 || failureStatus > 599)) {
      throw new IllegalArgumentException(
          "failure status is " + failureStatus + "; use 429 or one from 500 to 599");
    }
  }

  /** Each call is an effect: a platform that ignores the idempotency key. */
  public PlatformBehaviour withoutKeySupport() {
    return new PlatformBehaviour(false, latency, lostAnswerShare, failureShare, failureStatus);
  }

  /** The same, with this working time for each call. */
  public PlatformBehaviour withLatency(Duration newLatency) {
    return new PlatformBehaviour(
        keySupport, newLatency, lostAnswerShare, failureShare, failureStatus);
  }

  /** The same, with this share of calls whose effect happens but whose answer never arrives. */
  public PlatformBehaviour withLostAnswers(double share) {
    return new PlatformBehaviour(keySupport, latency, share, failureShare, failureStatus);
  }

  /** The same, with this share of calls refused with {@code status} and without an effect. */
  public PlatformBehaviour withFailures(double share, int status) {
    return new PlatformBehaviour(keySupport, latency, lostAnswerShare, share, status);
  }

  private static void checkShare(String name, double share) {
    if (!(share >= 0.0 && share <= 1.0)) {
      throw new IllegalArgumentException(name + " is " + share + "; it must be from 0 to 1");
    }
  }
}

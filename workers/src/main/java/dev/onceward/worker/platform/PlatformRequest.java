package dev.onceward.worker.platform;

import dev.onceward.worker.handle.TaskAttempt;
import org.jspecify.annotations.Nullable;

/**
 * One call to a platform. Prints no body, which may hold credentials.
 *
 * @param path below the platform's address, without a slash in front
 * @param body a JSON text
 * @param idempotencyKey by which the platform tells a repeated attempt
 * @param traceparent passed on; null for none
 * @param maxAnswerBytes a longer answer cannot be read
 */
record PlatformRequest(
    String path,
    String body,
    String idempotencyKey,
    @Nullable String traceparent,
    int maxAnswerBytes) {

  private static final int SMALL_ANSWER_BYTES = 64 * 1024;

  /** A call on behalf of an attempt whose answer is small. */
  static PlatformRequest of(TaskAttempt attempt, String path, String body) {
    return new PlatformRequest(
        path, body, attempt.idempotencyKey(), attempt.event().traceparent(), SMALL_ANSWER_BYTES);
  }

  /** The same for an answer of that size. */
  PlatformRequest withAnswerUpTo(int bytes) {
    return new PlatformRequest(path, body, idempotencyKey, traceparent, bytes);
  }

  @Override
  public String toString() {
    return "PlatformRequest[" + path + ", " + idempotencyKey + "]";
  }
}

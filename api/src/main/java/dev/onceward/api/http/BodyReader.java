package dev.onceward.api.http;

import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.api.problem.ProblemException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** Reads a body up to a limit. Thread-safe. */
final class BodyReader {
  private final int maxBytes;

  BodyReader(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * @throws ProblemException {@code UNSUPPORTED_MEDIA_TYPE}, {@code BODY_TOO_LARGE}, {@code
   *     REQUEST_TIMEOUT} or {@code REQUEST_INVALID}
   */
  byte[] readJson(Map<String, List<String>> headers, long contentLength, InputStream body) {
    MediaTypes.requireJson(headers);
    if (contentLength > maxBytes) {
      throw tooLarge();
    }
    try {
      byte[] bytes = body.readNBytes(maxBytes + 1);
      if (bytes.length > maxBytes) {
        throw tooLarge();
      }
      return bytes;
    } catch (IOException e) {
      throw new ProblemException(
          e.getCause() instanceof TimeoutException
              ? Problem.of(ProblemCode.REQUEST_TIMEOUT, "The body did not come to its end in time.")
              : Problem.of(ProblemCode.REQUEST_INVALID, "The body could not be read to its end."),
          null);
    }
  }

  private ProblemException tooLarge() {
    return Problem.of(ProblemCode.BODY_TOO_LARGE, "A body may have " + maxBytes + " bytes at most.")
        .exception();
  }
}

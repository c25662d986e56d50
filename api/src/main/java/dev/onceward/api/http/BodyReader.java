package dev.onceward.api.http;

import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.api.problem.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
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
  byte[] readJson(HttpServletRequest request, Map<String, List<String>> headers) {
    MediaTypes.requireJson(headers);
    if (request.getContentLengthLong() > maxBytes) {
      throw tooLarge(maxBytes);
    }
    try {
      // Not before: who waits for "100 Continue" is told to go on by this.
      InputStream body = request.getInputStream();
      byte[] bytes = body.readNBytes(maxBytes + 1);
      if (bytes.length > maxBytes) {
        throw tooLarge(maxBytes);
      }
      return bytes;
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** Whether a body of this declared length may be read. */
  boolean takes(long contentLength) {
    return contentLength > 0 && contentLength <= maxBytes;
  }

  /** What becomes of a body that does not come to its end. */
  static ProblemException unreadable(IOException failure) {
    return new ProblemException(
        failure.getCause() instanceof TimeoutException
            ? Problem.of(ProblemCode.REQUEST_TIMEOUT, "The body did not come to its end in time.")
            : Problem.of(ProblemCode.REQUEST_INVALID, "The body could not be read to its end."),
        null);
  }

  /** What becomes of a body with more bytes than its place takes. */
  static ProblemException tooLarge(long maxBytes) {
    return Problem.of(ProblemCode.BODY_TOO_LARGE, "A body may have " + maxBytes + " bytes at most.")
        .exception();
  }
}

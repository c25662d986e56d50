package dev.onceward.api.http;

import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Takes the ids of a request from its headers or makes them. */
final class RequestIdReader {
  static final String REQUEST_ID = "X-Request-Id";
  static final String CORRELATION_ID = "X-Correlation-Id";
  private static final int MAX_CHARACTERS = 128;
  private static final Pattern VISIBLE_ASCII = Pattern.compile("[!-~]{1," + MAX_CHARACTERS + "}");

  // https://www.w3.org/TR/trace-context/#traceparent-header: of a later version the four known
  // fields count; ids of zeros only and version ff are invalid.
  private static final Pattern TRACEPARENT =
      Pattern.compile(
          "((?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(-.*)?");

  private RequestIdReader() {}

  /** Fresh ids, for a request whose own cannot be used. */
  static RequestIds fresh() {
    String id = UUID.randomUUID().toString();
    return new RequestIds(id, id, null);
  }

  /**
   * @param headers by lower-case name
   * @throws dev.onceward.api.problem.ProblemException {@code HEADER_INVALID}
   */
  static RequestIds read(Map<String, List<String>> headers) {
    String requestId = one(headers, REQUEST_ID, "x-request-id");
    if (requestId == null) {
      requestId = UUID.randomUUID().toString();
    }
    String correlationId = one(headers, CORRELATION_ID, "x-correlation-id");
    return new RequestIds(
        requestId, correlationId == null ? requestId : correlationId, traceparent(headers));
  }

  private static @Nullable String one(
      Map<String, List<String>> headers, String name, String lowerCaseName) {
    List<String> values = headers.getOrDefault(lowerCaseName, List.of());
    if (values.isEmpty()) {
      return null;
    }
    if (values.size() > 1 || !VISIBLE_ASCII.matcher(values.get(0)).matches()) {
      throw Problem.of(
              ProblemCode.HEADER_INVALID,
              name,
              "Send it once with 1 to "
                  + MAX_CHARACTERS
                  + " visible ASCII characters, or not at all.")
          .exception();
    }
    return values.get(0);
  }

  /** The specification wants a malformed one ignored, not refused. */
  private static @Nullable String traceparent(Map<String, List<String>> headers) {
    List<String> values = headers.getOrDefault("traceparent", List.of());
    if (values.size() != 1) {
      return null;
    }
    Matcher matcher = TRACEPARENT.matcher(values.get(0));
    boolean valid =
        matcher.matches() && (matcher.group(2) == null || !values.get(0).startsWith("00"));
    return valid ? matcher.group(1) : null;
  }
}

package dev.onceward.api.http;

import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.api.problem.ProblemException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code Content-Type} and {@code Accept} of the calls, which speak JSON only (RFC 9110 §8.3,
 * §12.5.1).
 */
final class MediaTypes {
  private MediaTypes() {}

  /**
   * @throws ProblemException {@code UNSUPPORTED_MEDIA_TYPE} unless the body is plain JSON in UTF-8
   */
  static void requireJson(Map<String, List<String>> headers) {
    List<String> types = headers.getOrDefault("content-type", List.of());
    if (types.size() != 1 || !isJson(types.get(0))) {
      throw Problem.of(
              ProblemCode.UNSUPPORTED_MEDIA_TYPE,
              "Content-Type",
              "Send the body as application/json in UTF-8.")
          .withHeader("Accept", "application/json")
          .exception();
    }
    requireNoCoding(headers);
  }

  private static void requireNoCoding(Map<String, List<String>> headers) {
    List<String> codings = headers.getOrDefault("content-encoding", List.of());
    if (!codings.isEmpty() && !codings.equals(List.of("identity"))) {
      throw Problem.of(
              ProblemCode.UNSUPPORTED_MEDIA_TYPE,
              "Content-Encoding",
              "Send the body without a content coding.")
          .withHeader("Accept-Encoding", "identity")
          .exception();
    }
  }

  /**
   * Refuses what is no plain file: forms, coded contents, and parts of a file (RFC 9110 §14.5).
   *
   * @throws ProblemException {@code UNSUPPORTED_MEDIA_TYPE} or {@code HEADER_INVALID}
   */
  static void requireFile(Map<String, List<String>> headers) {
    for (String type : headers.getOrDefault("content-type", List.of())) {
      if (type.strip().toLowerCase(Locale.ROOT).startsWith("multipart/")) {
        throw Problem.of(
                ProblemCode.UNSUPPORTED_MEDIA_TYPE,
                "Content-Type",
                "Send the bytes of the file themselves as the body, not as a part of a form.")
            .exception();
      }
    }
    requireNoCoding(headers);
    if (headers.containsKey("content-range")) {
      throw Problem.of(ProblemCode.HEADER_INVALID, "Content-Range", "Send the file as a whole.")
          .exception();
    }
  }

  private static boolean isJson(String contentType) {
    String[] parts = contentType.toLowerCase(Locale.ROOT).split(";", -1);
    if (!parts[0].strip().equals("application/json")) {
      return false;
    }
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip().replace("\"", "");
      if (parameter.startsWith("charset=") && !parameter.equals("charset=utf-8")) {
        return false;
      }
    }
    return true;
  }

  /**
   * @throws ProblemException {@code NOT_ACCEPTABLE} when the client takes no JSON
   */
  static void requireJsonAccepted(Map<String, List<String>> headers) {
    List<String> accept = headers.getOrDefault("accept", List.of());
    if (accept.isEmpty()) {
      return;
    }
    for (String value : accept) {
      for (String range : value.toLowerCase(Locale.ROOT).split(",")) {
        if (acceptsJson(range)) {
          return;
        }
      }
    }
    throw Problem.of(
            ProblemCode.NOT_ACCEPTABLE, "Accept", "Answers are application/json; accept that.")
        .exception();
  }

  private static boolean acceptsJson(String range) {
    String[] parts = range.split(";");
    String type = parts.length == 0 ? "" : parts[0].strip();
    boolean matches =
        type.isEmpty()
            || type.equals("*/*")
            || type.equals("application/*")
            || type.equals("application/json");
    for (int i = 1; i < parts.length; i++) {
      if (parts[i].strip().matches("q=0(\\.0{0,3})?")) {
        return false;
      }
    }
    return matches;
  }
}

package dev.onceward.api.http;

import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One request as the handlers see it. Immutable as long as nobody writes to the body's bytes. */
public final class Request {
  // Only the form that we write: one resource has one path.
  private static final Pattern ID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private final String method;
  private final String path;
  private final @Nullable String query;
  private final Map<String, String> pathParameters;
  private final Map<String, List<String>> headers;
  private final byte[] body;
  private final RequestContent content;
  private final RequestIds ids;
  private final @Nullable Caller caller;

  Request(
      String method,
      String path,
      @Nullable String query,
      Map<String, String> pathParameters,
      Map<String, List<String>> headers,
      byte[] body,
      RequestContent content,
      RequestIds ids,
      @Nullable Caller caller) {
    this.method = method;
    this.path = path;
    this.query = query;
    this.pathParameters = Map.copyOf(pathParameters);
    this.headers = Map.copyOf(headers);
    this.body = body;
    this.content = content;
    this.ids = ids;
    this.caller = caller;
  }

  /** Upper case. */
  public String method() {
    return method;
  }

  /** The normalised real path: equal resources have equal text. */
  public String path() {
    return path;
  }

  /** The normalised query string without its question mark; null when there is none. */
  public @Nullable String query() {
    return query;
  }

  /** The bytes as they came, empty when the route reads none. */
  public byte[] body() {
    return body;
  }

  /** The bytes of a {@link Route.Body#BYTES} route, not yet read; else none. */
  public RequestContent content() {
    return content;
  }

  /** What connects this request with what follows from it. */
  public RequestIds ids() {
    return ids;
  }

  /** Who calls; a route without access key has no caller. */
  public Caller caller() {
    if (caller == null) {
      throw new IllegalStateException("an open route has no caller");
    }
    return caller;
  }

  /** The values of a header, empty when it was not sent. */
  public List<String> header(String lowerCaseName) {
    return headers.getOrDefault(lowerCaseName, List.of());
  }

  /** The query parameters, read afresh. */
  public QueryParameters queryParameters() {
    return QueryParameters.of(query);
  }

  /**
   * The id in the path. A text that is no id gets the answer of an unknown one.
   *
   * @param what the resource's name for the message, such as {@code store}
   * @throws dev.onceward.api.problem.ProblemException {@code NOT_FOUND}
   */
  public UUID id(String what) {
    String text = pathParameters.getOrDefault("id", "");
    if (!ID.matcher(text).matches()) {
      throw notFound(what).exception();
    }
    return UUID.fromString(text);
  }

  /** The text that stands in the path for a name of the route's template, decoded. */
  public String pathParameter(String name) {
    return pathParameters.getOrDefault(name, "");
  }

  /** The id in the path, or empty when the text there is none. */
  public Optional<UUID> optionalId() {
    String text = pathParameters.getOrDefault("id", "");
    return ID.matcher(text).matches() ? Optional.of(UUID.fromString(text)) : Optional.empty();
  }

  /** The one answer for a resource that is unknown or of another workspace. */
  public static Problem notFound(String what) {
    return Problem.of(
        ProblemCode.NOT_FOUND, "Your workspace has no " + what + " with the id in the path.");
  }
}

package dev.onceward.api.http;

import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import java.nio.ByteBuffer;
import java.util.Map;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Gives the server's own refusals (a malformed request line, too large headers, a stopping server)
 * the form of every other problem. Thread-safe.
 */
final class ServerProblems implements Request.Handler {

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    RequestIds ids = RequestIdReader.fresh();
    Answer answer = ProblemAnswers.of(problemOf(response.getStatus()));
    response.setStatus(answer.status());
    for (Map.Entry<String, String> header : answer.headers().entrySet()) {
      response.getHeaders().put(header.getKey(), header.getValue());
    }
    response.getHeaders().put(RequestIdReader.REQUEST_ID, ids.requestId());
    response.getHeaders().put(RequestIdReader.CORRELATION_ID, ids.correlationId());
    response.getHeaders().put("Cache-Control", "no-store");
    // A connection whose request the server could not take may not live on, body or not.
    response.getHeaders().put(HttpFields.CONNECTION_CLOSE);
    response.write(true, ByteBuffer.wrap(answer.bytes()), callback);
    return true;
  }

  static Problem problemOf(int status) {
    return switch (status) {
      case 404 -> Problem.of(ProblemCode.NOT_FOUND, "There is nothing under this path.");
      case 408 ->
          Problem.of(ProblemCode.REQUEST_TIMEOUT, "The request did not come to its end in time.");
      case 413 -> Problem.of(ProblemCode.BODY_TOO_LARGE, "The body is too large.");
      case 414 -> Problem.of(ProblemCode.TARGET_TOO_LONG, "The request target is too long.");
      case 431 -> Problem.of(ProblemCode.HEADERS_TOO_LARGE, "The headers are too large together.");
      case 503 ->
          Problem.of(ProblemCode.SHUTTING_DOWN, "The server is shutting down; try again.")
              .withHeader("Retry-After", "1");
      default ->
          status >= 500
              ? Problem.of(ProblemCode.INTERNAL_ERROR, "The request failed on our side.")
              : Problem.of(ProblemCode.REQUEST_INVALID, "The request is not valid HTTP.");
    };
  }
}

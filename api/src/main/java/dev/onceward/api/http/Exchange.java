package dev.onceward.api.http;

import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.api.problem.ProblemException;
import dev.onceward.db.workspace.Role;
import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Takes one request from its headers to its answer. Thread-safe. */
final class Exchange {
  private final Authenticator authenticator;
  private final BodyReader bodies;
  private final RequestLog log;

  Exchange(Authenticator authenticator, BodyReader bodies, RequestLog log) {
    this.authenticator = authenticator;
    this.bodies = bodies;
    this.log = log;
  }

  /**
   * Answers a request of a route.
   *
   * @param executor writes an answer that comes later
   */
  void handle(Route route, Context context, Executor executor) {
    Course course = new Course(context, route.path());
    CompletableFuture<Answer> answer;
    try {
      answer = route.handler().handle(request(route, context, course));
    } catch (SQLException | RuntimeException | Error e) {
      // The outermost guard of a request: even a full stack gets an answer and a line in the log.
      fail(course, e);
      return;
    } finally {
      RequestLog.leave();
    }
    if (answer.isDone()) {
      finish(course, answer);
    } else {
      context.future(() -> answer.handleAsync((a, e) -> finish(course, answer), executor));
    }
  }

  /** Answers a request that no route takes, or that the server itself refuses. */
  void refuse(Context context, Problem problem) {
    Course course = new Course(context, "none");
    try {
      course.ids = RequestIdReader.read(headers(context.req()));
    } catch (ProblemException e) {
      // Its own ids cannot be used; the refusal stands.
    }
    write(course, ProblemAnswers.of(problem), null);
  }

  private Request request(Route route, Context context, Course course) throws SQLException {
    HttpServletRequest servletRequest = context.req();
    Map<String, List<String>> headers = headers(servletRequest);
    course.ids = RequestIdReader.read(headers);
    RequestLog.enter(course.ids, null);
    String path = Percent.normalise(servletRequest.getRequestURI());
    String rawQuery = servletRequest.getQueryString();
    String query = rawQuery == null || rawQuery.isEmpty() ? null : Percent.normalise(rawQuery);
    if (path == null || (query == null && rawQuery != null && !rawQuery.isEmpty())) {
      throw Problem.of(ProblemCode.REQUEST_INVALID, "The target has a malformed percent-encoding.")
          .exception();
    }
    Role needed = route.access().role();
    if (needed != null) {
      course.caller = authenticator.authenticate(headers.getOrDefault("authorization", List.of()));
      RequestLog.enter(course.ids, course.caller);
      if (!course.caller.role().includes(needed)) {
        throw roleRequired(needed);
      }
      if (route.sends() == Route.Sends.JSON) {
        MediaTypes.requireJsonAccepted(headers);
      }
    }
    byte[] body = new byte[0];
    RequestContent content = RequestContent.none();
    if (route.body() == Route.Body.JSON) {
      try {
        body =
            bodies.readJson(
                headers, servletRequest.getContentLengthLong(), servletRequest.getInputStream());
      } catch (IOException e) {
        throw Problem.of(ProblemCode.REQUEST_INVALID, "The body could not be read.").exception();
      }
    } else if (route.body() == Route.Body.BYTES) {
      MediaTypes.requireFile(headers);
      content = content(servletRequest);
      course.content = content;
    }
    return new Request(
        route.method(),
        path,
        query,
        context.pathParamMap(),
        headers,
        body,
        content,
        course.ids,
        course.caller);
  }

  private static ProblemException roleRequired(Role needed) {
    return Problem.of(
            ProblemCode.ROLE_REQUIRED,
            "This call is for users with the role " + needed.label() + ".")
        .exception();
  }

  private @Nullable Void finish(Course course, CompletableFuture<Answer> answer) {
    try {
      write(course, answer.join(), null);
    } catch (RuntimeException e) {
      fail(course, e);
    }
    return null;
  }

  private static RequestContent content(HttpServletRequest request) {
    try {
      return new RequestContent(request.getInputStream(), request.getContentLengthLong());
    } catch (IOException e) {
      throw BodyReader.unreadable(e);
    }
  }

  private void fail(Course course, Throwable failure) {
    // A client that waits for "100 Continue" sends nothing before it has the answer.
    if (course.content != null && course.context.req().getHeader("Expect") == null) {
      course.content.drain();
    }
    write(course, ProblemAnswers.of(Failures.problemOf(failure)), failure);
  }

  private void write(Course course, Answer answer, @Nullable Throwable failure) {
    Context context = course.context;
    context.status(answer.status());
    answer.headers().forEach(context::header);
    context.header(RequestIdReader.REQUEST_ID, course.ids.requestId());
    context.header(RequestIdReader.CORRELATION_ID, course.ids.correlationId());
    context.header("Cache-Control", "no-store");
    Throwable why = failure;
    StreamedBody stream = answer.stream();
    if (stream == null) {
      context.result(answer.bytes());
    } else {
      why = send(context, stream);
    }
    log.answered(
        context.method().name(),
        course.route,
        answer.status(),
        Duration.ofNanos(System.nanoTime() - course.startedAtNanos),
        course.ids,
        course.caller,
        why);
  }

  /** Null when all bytes went out; else why not, and the server breaks the connection off. */
  private static @Nullable Throwable send(Context context, StreamedBody stream) {
    context.res().setContentLengthLong(stream.sizeBytes());
    if (context.req().getMethod().equals("HEAD")) {
      return null;
    }
    try {
      stream.writer().writeTo(context.res().getOutputStream());
      return null;
    } catch (IOException | SQLException | RuntimeException e) {
      return e;
    }
  }

  private static Map<String, List<String>> headers(HttpServletRequest request) {
    Map<String, List<String>> headers = new HashMap<>();
    for (String name : Collections.list(request.getHeaderNames())) {
      headers.put(name.toLowerCase(Locale.ROOT), Collections.list(request.getHeaders(name)));
    }
    return headers;
  }

  /** How far one request has come. Confined to the thread that works on it. */
  private static final class Course {
    final Context context;
    final String route;
    final long startedAtNanos = System.nanoTime();
    RequestIds ids = RequestIdReader.fresh();
    @Nullable Caller caller;
    @Nullable RequestContent content;

    Course(Context context, String route) {
      this.context = context;
      this.route = route;
    }
  }
}

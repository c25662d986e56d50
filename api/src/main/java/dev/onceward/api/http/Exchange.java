package dev.onceward.api.http;

import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.api.problem.ProblemException;
import dev.onceward.db.workspace.Role;
import io.javalin.http.Context;
import io.opentelemetry.api.trace.Span;
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
  private final RateLimit rateLimit;
  private final BodyReader bodies;
  private final RequestLog log;
  private final RequestTraces traces;

  Exchange(
      Authenticator authenticator,
      RateLimit rateLimit,
      BodyReader bodies,
      RequestLog log,
      RequestTraces traces) {
    this.authenticator = authenticator;
    this.rateLimit = rateLimit;
    this.bodies = bodies;
    this.log = log;
    this.traces = traces;
  }

  /**
   * Answers a request of a route.
   *
   * @param executor writes an answer that comes later
   */
  void handle(Route route, Context context, Executor executor) {
    Course course = new Course(context, route.path());
    log.begun();
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
    log.begun();
    try {
      course.ids = RequestIdReader.read(headers(context.req()));
    } catch (ProblemException e) {
      // Its own ids cannot be used; the refusal stands.
    }
    log.refused(problem.code());
    write(course, ProblemAnswers.of(problem), null);
  }

  private Request request(Route route, Context context, Course course) throws SQLException {
    HttpServletRequest servletRequest = context.req();
    Map<String, List<String>> headers = headers(servletRequest);
    course.ids = RequestIdReader.read(headers);
    if (route.access() != Route.Access.OPEN || route.body() != Route.Body.NONE) {
      // Probes would bury the traces that matter.
      course.span = traces.begin(route.method(), route.path(), course.ids.traceparent());
      course.ids = RequestTraces.within(course.span, course.ids);
    }
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
      List<String> authorization = headers.getOrDefault("authorization", List.of());
      rateLimit.admitKey(authorization);
      course.caller = authenticator.authenticate(authorization);
      RequestLog.enter(course.ids, course.caller);
      if (!course.caller.role().includes(needed)) {
        throw roleRequired(needed);
      }
      if (route.sends() == Route.Sends.JSON) {
        MediaTypes.requireJsonAccepted(headers);
      }
    }
    if (needed == null && route.body() != Route.Body.NONE) {
      rateLimit.admitDelivery(path);
    }
    byte[] body = new byte[0];
    RequestContent content = RequestContent.none();
    if (route.body() == Route.Body.JSON) {
      body = bodies.readJson(servletRequest, headers);
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
    Problem problem = Failures.problemOf(failure);
    log.refused(problem.code());
    write(course, ProblemAnswers.of(problem), failure);
  }

  private void write(Course course, Answer answer, @Nullable Throwable failure) {
    Context context = course.context;
    readRest(context, answer.status());
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
    RequestTraces.end(course.span, course.ids, answer.status());
    log.answered(
        context.method().name(),
        course.route,
        answer.status(),
        Duration.ofNanos(System.nanoTime() - course.startedAtNanos),
        course.ids,
        course.caller,
        why);
  }

  /**
   * Reads a small body that nobody has read to its end: its client may still be sending, and would
   * lose its connection. Larger ones end the connection ({@link UnreadBody}).
   */
  private void readRest(Context context, int status) {
    HttpServletRequest request = context.req();
    // A client that waits for "100 Continue" sends nothing before it has the answer, and one that
    // sends too often is not listened to.
    if (bodies.takes(request.getContentLengthLong())
        && request.getHeader("Expect") == null
        && status != ProblemCode.RATE_LIMITED.status()) {
      content(request).drain();
    }
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
    Span span = Span.getInvalid();
    @Nullable Caller caller;
    @Nullable RequestContent content;

    Course(Context context, String route) {
      this.context = context;
      this.route = route;
    }
  }
}

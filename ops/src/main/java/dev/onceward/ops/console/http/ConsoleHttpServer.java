package dev.onceward.ops.console.http;

import dev.onceward.process.StartupException;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import io.javalin.router.Endpoint;
import io.javalin.util.JavalinBindException;
import io.javalin.util.JavalinException;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listening server. Thread-safe; starts once, stops once. */
public final class ConsoleHttpServer implements AutoCloseable {
  private static final int MAX_THREADS = 40;
  private static final int MIN_THREADS = 4;
  private static final long MAX_FORM_BYTES = 64L * 1024;

  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
              + " connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
          "X-Content-Type-Options",
          "nosniff",
          // With no-referrer a browser hides the origin of our own forms too.
          "Referrer-Policy",
          "same-origin",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cross-Origin-Resource-Policy",
          "same-origin");

  private static final Logger LOG = LoggerFactory.getLogger(ConsoleHttpServer.class);

  private final Javalin javalin;

  private ConsoleHttpServer(Javalin javalin) {
    this.javalin = javalin;
  }

  /**
   * Starts listening.
   *
   * @param port 0 takes a free one
   * @throws StartupException when the port cannot be used
   */
  public static ConsoleHttpServer start(
      String host, int port, List<Route> routes, ErrorPages errors) {
    QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, MIN_THREADS);
    threads.setName("console");
    Javalin javalin =
        Javalin.create(
            config -> {
              configure(config, host, port, threads);
              route(config, routes, errors);
            });
    try {
      javalin.start();
    } catch (JavalinBindException e) {
      throw StartupException.unavailable(
          "port " + port + " on " + host + " cannot be used: it is taken or not permitted",
          "Stop what uses it, or set onceward.console.port (0 takes any free port) and"
              + " onceward.console.host",
          e);
    }
    return new ConsoleHttpServer(javalin);
  }

  /** The port that is listened on. */
  public int port() {
    return javalin.port();
  }

  @Override
  public void close() {
    try {
      javalin.stop();
    } catch (JavalinException e) {
      LOG.warn("requests that did not end were cut off", e);
    }
  }

  private static void configure(
      JavalinConfig config, String host, int port, QueuedThreadPool threads) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
    config.http.compressionStrategy = CompressionStrategy.NONE;
    config.http.maxRequestSize = MAX_FORM_BYTES;
    config.http.prefer405over404 = true;
    config.router.ignoreTrailingSlashes = false;
    config.router.caseInsensitiveRoutes = false;
    config.jetty.host = host;
    config.jetty.port = port;
    config.jetty.threadPool = threads;
    config.jetty.modifyHttpConfiguration(http -> http.setSendServerVersion(false));
  }

  private static void route(JavalinConfig config, List<Route> routes, ErrorPages errors) {
    for (Route route : routes) {
      List<HandlerType> methods =
          route.method().equals("GET")
              ? List.of(HandlerType.GET, HandlerType.HEAD)
              : List.of(HandlerType.findOrCreate(route.method()));
      for (HandlerType method : methods) {
        config.routes.addEndpoint(
            new Endpoint(method, route.path(), context -> handle(context, route, errors)));
      }
    }
    config.routes.exception(
        HttpResponseException.class,
        (e, context) -> send(context, errors.refused(new Request(context), e.getStatus())));
  }

  private static void handle(Context context, Route route, ErrorPages errors) {
    Request request = new Request(context);
    Reply reply;
    try {
      reply = route.handler().answer(request);
    } catch (HttpResponseException e) {
      reply = errors.refused(request, e.getStatus());
    } catch (Exception e) {
      // The outermost guard of a request.
      reply = errors.failed(request, e);
    }
    send(context, reply);
  }

  private static void send(Context context, Reply reply) {
    context.status(reply.status());
    context.contentType(reply.contentType());
    HEADERS.forEach(context::header);
    context.header("Cache-Control", "no-store");
    reply.headers().forEach(context::header);
    reply.cookies().forEach(cookie -> context.res().addHeader("Set-Cookie", cookie));
    context.result(reply.body().getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }
}

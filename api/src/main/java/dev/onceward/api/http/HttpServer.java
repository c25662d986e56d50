package dev.onceward.api.http;

import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
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
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.trace.Tracer;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listening server. Thread-safe; starts once, stops once. */
public final class HttpServer implements AutoCloseable {
  private static final int MAX_THREADS = 200;
  private static final int MIN_THREADS = 8;

  private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);

  private final Javalin javalin;

  private HttpServer(Javalin javalin) {
    this.javalin = javalin;
  }

  /**
   * Starts listening.
   *
   * @param options where and within which limits
   * @param routes all calls
   * @param authenticator for the routes that need an access key
   * @param rateLimit for the same routes
   * @param metrics what is counted and timed
   * @param tracer begins a span per request
   * @throws StartupException when the port cannot be used
   */
  public static HttpServer start(
      HttpOptions options,
      List<Route> routes,
      Authenticator authenticator,
      RateLimit rateLimit,
      MeterRegistry metrics,
      Tracer tracer) {
    Exchange exchange =
        new Exchange(
            authenticator,
            rateLimit,
            new BodyReader(options.maxBodyBytes()),
            new RequestLog(metrics),
            new RequestTraces(tracer));
    QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, MIN_THREADS);
    threads.setName("http");
    Javalin javalin =
        Javalin.create(
            config -> {
              configure(config, options, threads);
              route(config, routes, exchange, threads);
            });
    try {
      javalin.start();
    } catch (JavalinBindException e) {
      throw StartupException.unavailable(
          "port "
              + options.port()
              + " on "
              + options.host()
              + " cannot be used: it is taken or not permitted",
          "Stop what uses it, or set onceward.api.port (0 takes any free port) and"
              + " onceward.api.host",
          e);
    }
    return new HttpServer(javalin);
  }

  /** The port that is listened on. */
  public int port() {
    return javalin.port();
  }

  /** Takes no new requests, lets the running ones end within the grace time, then stops. */
  @Override
  public void close() {
    try {
      javalin.stop();
    } catch (JavalinException e) {
      // Whatever was cut off has been rolled back; its client repeats it with the same key.
      LOG.warn("requests that did not end within the grace time were cut off", e);
    }
  }

  private static void configure(
      JavalinConfig config, HttpOptions options, QueuedThreadPool threads) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
    config.http.compressionStrategy = CompressionStrategy.NONE;
    config.http.prefer405over404 = true;
    config.router.ignoreTrailingSlashes = false;
    config.router.treatMultipleSlashesAsSingleSlash = false;
    config.router.caseInsensitiveRoutes = false;
    config.jetty.host = options.host();
    config.jetty.port = options.port();
    config.jetty.threadPool = threads;
    config.jetty.modifyHttpConfiguration(
        http -> {
          // A path that can be read in two ways is refused.
          http.setUriCompliance(UriCompliance.DEFAULT);
          http.setSendServerVersion(false);
        });
    config.jetty.modifyServer(
        server -> {
          server.setErrorHandler(new ServerProblems());
          server.insertHandler(new RequestDeadline(options.requestTimeout()));
          server.insertHandler(new GracefulHandler());
          server.insertHandler(new UnreadBody());
          server.setStopTimeout(options.grace().toMillis());
        });
    config.jetty.addConnector(
        (server, http) -> {
          ServerConnector connector =
              new ServerConnector(server, new org.eclipse.jetty.server.HttpConnectionFactory(http));
          connector.setHost(options.host());
          connector.setPort(options.port());
          connector.setIdleTimeout(options.requestTimeout().toMillis());
          return connector;
        });
  }

  private static void route(
      JavalinConfig config, List<Route> routes, Exchange exchange, QueuedThreadPool threads) {
    for (Route route : routes) {
      List<HandlerType> methods =
          route.method().equals("GET")
              ? List.of(HandlerType.GET, HandlerType.HEAD)
              : List.of(HandlerType.findOrCreate(route.method()));
      for (HandlerType method : methods) {
        config.routes.addEndpoint(
            new Endpoint(
                method, route.path(), context -> exchange.handle(route, context, threads)));
      }
    }
    config.routes.exception(
        HttpResponseException.class,
        (e, context) -> exchange.refuse(context, refusal(e, routes, context)));
  }

  private static Problem refusal(HttpResponseException e, List<Route> routes, Context context) {
    if (e.getStatus() != ProblemCode.METHOD_NOT_ALLOWED.status()) {
      return ServerProblems.problemOf(e.getStatus());
    }
    Set<String> allowed = new TreeSet<>();
    for (Route route : routes) {
      if (matches(route.path(), context.path())) {
        allowed.add(route.method());
        if (route.method().equals("GET")) {
          allowed.add("HEAD");
        }
      }
    }
    String methods = String.join(", ", allowed);
    return Problem.of(ProblemCode.METHOD_NOT_ALLOWED, "This path takes " + methods + ".")
        .withHeader("Allow", methods);
  }

  private static boolean matches(String template, String path) {
    StringBuilder pattern = new StringBuilder();
    for (String step : template.substring(1).split("/")) {
      pattern.append('/').append(step.startsWith("{") ? "[^/]+" : Pattern.quote(step));
    }
    return path.matches(pattern.toString());
  }
}

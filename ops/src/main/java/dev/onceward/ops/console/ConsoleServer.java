package dev.onceward.ops.console;

import dev.onceward.ops.console.http.ConsoleHttpServer;
import dev.onceward.ops.console.http.Reply;
import dev.onceward.ops.console.http.Request;
import dev.onceward.ops.console.http.Route;
import dev.onceward.ops.console.page.Assets;
import dev.onceward.ops.console.pipeline.PipelineWatch;
import dev.onceward.ops.console.session.DatabaseLogin;
import dev.onceward.ops.console.session.Session;
import dev.onceward.ops.console.session.SessionExpiry;
import dev.onceward.ops.console.session.Sessions;
import dev.onceward.ops.console.session.SignInThrottle;
import dev.onceward.ops.deadletter.DeadLetterDesk;
import dev.onceward.process.HealthChecks;
import dev.onceward.process.HealthReport;
import dev.onceward.process.Shutdown;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running console. Thread-safe; close stops it. */
final class ConsoleServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ConsoleServer.class);

  private final ConsoleConfig config;
  private final Sessions sessions;
  private final SessionExpiry expiry;
  private final PipelineWatch watch;
  private final BackgroundReplays replays;
  private final ConsoleHttpServer http;

  private ConsoleServer(
      ConsoleConfig config,
      Sessions sessions,
      SessionExpiry expiry,
      PipelineWatch watch,
      BackgroundReplays replays,
      ConsoleHttpServer http) {
    this.config = config;
    this.sessions = sessions;
    this.expiry = expiry;
    this.watch = watch;
    this.replays = replays;
    this.http = http;
  }

  /**
   * Starts everything. Neither the database nor Kafka need be there.
   *
   * @throws dev.onceward.process.StartupException when the port cannot be used
   */
  static ConsoleServer start(ConsoleConfig config, Shutdown shutdown) {
    DatabaseLogin login = new DatabaseLogin(config.databaseUrl());
    Sessions sessions = new Sessions(login, config.sessionIdle(), config.sessionLife());
    PipelineWatch watch =
        new PipelineWatch(
            () -> login.open(config.databaseUser(), config.databasePassword()),
            config.routing(),
            config.sampleInterval());
    BackgroundReplays replays = new BackgroundReplays();
    HealthChecks checks = new HealthChecks();
    checks.register(shutdown);
    checks.register(watch);
    Cookies cookies = new Cookies(config.isSecure());
    Pages pages = new Pages(request -> session(sessions, cookies, request));
    Guard guard = new Guard(sessions, config.publicUrl(), cookies, pages);
    List<Route> routes = new ArrayList<>();
    routes.addAll(
        new SignInPages(guard, sessions, new SignInThrottle(System::nanoTime), cookies, pages)
            .routes());
    routes.addAll(new OverviewPages(guard, pages, watch, config.workerGroup()).routes());
    routes.addAll(new EventPages(guard, pages, config.search()).routes());
    routes.addAll(new DeadLetterPages(guard, pages, new DeadLetterDesk(config.routing())).routes());
    routes.addAll(
        new ReplayPages(guard, pages, config.routing(), replays, Clock.systemUTC()).routes());
    routes.addAll(new DoctorPages(guard, pages, config.examination()).routes());
    routes.add(Route.get("/assets/{name}", request -> asset(request, pages)));
    routes.add(Route.get("/health/live", request -> Reply.json(200, "{\"status\":\"UP\"}")));
    routes.add(Route.get("/health/ready", request -> ready(checks.report())));
    ConsoleHttpServer http = ConsoleHttpServer.start(config.host(), config.port(), routes, pages);
    watch.start();
    SessionExpiry expiry = SessionExpiry.start(sessions);
    LOG.info("listening on {}:{}", config.host(), http.port());
    return new ConsoleServer(config, sessions, expiry, watch, replays, http);
  }

  private static @Nullable Session session(Sessions sessions, Cookies cookies, Request request) {
    return sessions.find(request.cookie(cookies.sessionName()));
  }

  private static Reply asset(Request request, Pages pages) {
    Reply reply = Assets.reply(request.pathParameter("name"));
    return reply == null ? pages.refused(request, 404) : reply;
  }

  private static Reply ready(HealthReport report) {
    return Reply.json(report.httpStatus(), report.json());
  }

  /** Where browsers find it. */
  URI address() {
    URI known = config.publicUrl();
    return known == null ? localAddress() : known;
  }

  /** Where this machine finds it. */
  URI localAddress() {
    String host = config.host().equals("0.0.0.0") ? "localhost" : config.host();
    return URI.create("http://" + host + ":" + http.port());
  }

  /** Stops replays where they can be taken up again, then everything else. */
  @Override
  public void close() {
    replays.close();
    http.close();
    expiry.close();
    watch.close();
    sessions.close();
  }
}

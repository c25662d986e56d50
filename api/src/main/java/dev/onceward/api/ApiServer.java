package dev.onceward.api;

import com.zaxxer.hikari.HikariDataSource;
import dev.onceward.api.ai.AiTaskCalls;
import dev.onceward.api.cleanup.ExpiredRowCleaner;
import dev.onceward.api.draft.DraftCalls;
import dev.onceward.api.draft.PublicationCalls;
import dev.onceward.api.flow.FlowCalls;
import dev.onceward.api.flow.FlowWork;
import dev.onceward.api.hook.HookCalls;
import dev.onceward.api.hook.HookDeliveries;
import dev.onceward.api.http.AccessKeyAuthenticator;
import dev.onceward.api.http.DescriptionCalls;
import dev.onceward.api.http.HealthCalls;
import dev.onceward.api.http.HttpOptions;
import dev.onceward.api.http.HttpServer;
import dev.onceward.api.http.RateLimit;
import dev.onceward.api.http.Route;
import dev.onceward.api.idempotent.IdempotentWrites;
import dev.onceward.api.media.MaterialTransferCalls;
import dev.onceward.api.media.MediaCalls;
import dev.onceward.api.operation.OperationControlCalls;
import dev.onceward.api.operation.OperationReads;
import dev.onceward.api.operation.OperationWaiter;
import dev.onceward.api.store.StoreCalls;
import dev.onceward.api.sync.SyncCalls;
import dev.onceward.api.workspace.AccessKeyCalls;
import dev.onceward.api.workspace.AccessKeyUse;
import dev.onceward.api.workspace.UserCalls;
import dev.onceward.api.workspace.WorkspaceCalls;
import dev.onceward.db.Database;
import dev.onceward.db.hook.HookStore;
import dev.onceward.db.store.StoreAuthorizationStore;
import dev.onceward.process.HealthChecks;
import dev.onceward.process.ProcessMetrics;
import dev.onceward.process.Shutdown;
import dev.onceward.process.SpanExport;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running API: pool, loops and server. Thread-safe; close stops it. */
public final class ApiServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);
  private static final Duration WAIT_INTERVAL = Duration.ofMillis(100);

  private final HikariDataSource pool;
  private final PrometheusMeterRegistry metrics;
  private final DatabaseProbe probe;
  private final OperationWaiter waiter;
  private final AccessKeyUse keyUse;
  private final ExpiredRowCleaner cleaner;
  private final SpanExport tracing;
  private final HttpServer http;
  private final List<Route> routes;

  private ApiServer(
      HikariDataSource pool,
      PrometheusMeterRegistry metrics,
      DatabaseProbe probe,
      OperationWaiter waiter,
      AccessKeyUse keyUse,
      ExpiredRowCleaner cleaner,
      SpanExport tracing,
      HttpServer http,
      List<Route> routes) {
    this.pool = pool;
    this.metrics = metrics;
    this.probe = probe;
    this.waiter = waiter;
    this.keyUse = keyUse;
    this.cleaner = cleaner;
    this.tracing = tracing;
    this.http = http;
    this.routes = routes;
  }

  /**
   * Starts everything; nothing is left behind when it fails.
   *
   * @throws SQLException when PostgreSQL cannot be reached or refuses the login
   * @throws dev.onceward.db.UnsafeRoleException for a role that row-level security does not bind
   * @throws dev.onceward.db.SchemaMissingException when the migrations have not run
   * @throws dev.onceward.process.StartupException when the port cannot be used
   */
  public static ApiServer start(ApiConfig config, Shutdown shutdown) throws SQLException {
    PrometheusMeterRegistry metrics = ProcessMetrics.registry("onceward-api");
    HikariDataSource pool = DatabasePool.open(config, metrics);
    Database database = new Database(pool);
    DatabaseProbe probe = new DatabaseProbe(database);
    OperationWaiter waiter = new OperationWaiter(database, WAIT_INTERVAL);
    // Requests wait in a bounded queue; our own loops do not stand in it.
    BoundedDataSource bounded = new BoundedDataSource(pool, config.poolQueue());
    Gauge.builder("onceward.api.pool.waiting", bounded, BoundedDataSource::waiting)
        .description("Requests that wait for a database connection")
        .register(metrics);
    Database requests = new Database(bounded);
    SpanExport tracing = new SpanExport("onceward-api", config.tracingEndpoint());
    AccessKeyUse keyUse = new AccessKeyUse(database);
    ExpiredRowCleaner cleaner = new ExpiredRowCleaner(database, config.cleanUp(), metrics);
    HealthChecks checks = new HealthChecks();
    checks.register(shutdown);
    checks.register(probe);
    checks.measure(metrics);
    List<Route> routes = routes(config, requests, waiter, checks, metrics);
    try {
      HttpServer http =
          HttpServer.start(
              new HttpOptions(
                  config.host(),
                  config.port(),
                  config.maxBodyBytes(),
                  config.requestTimeout(),
                  shutdown.grace()),
              routes,
              new AccessKeyAuthenticator(requests, keyUse),
              new RateLimit(config.rateLimitPerSecond(), config.rateLimitBurst()),
              metrics,
              tracing.tracer());
      probe.start();
      cleaner.start();
      waiter.start();
      keyUse.start();
      LOG.info("listening on {}:{}", config.host(), http.port());
      return new ApiServer(pool, metrics, probe, waiter, keyUse, cleaner, tracing, http, routes);
    } catch (RuntimeException e) {
      tracing.close();
      pool.close();
      metrics.close();
      throw e;
    }
  }

  private static List<Route> routes(
      ApiConfig config,
      Database database,
      OperationWaiter waiter,
      HealthChecks checks,
      PrometheusMeterRegistry metrics) {
    StoreAuthorizationStore stores = new StoreAuthorizationStore(config.credentialCipher());
    IdempotentWrites writes =
        new IdempotentWrites(database, config.fingerprintKeys(), config.idempotencyRetention());
    List<Route> routes = new ArrayList<>();
    routes.addAll(new StoreCalls(database, stores, writes).routes());
    routes.addAll(
        new OperationReads(database, waiter, config.requestTimeout().multipliedBy(4).dividedBy(5))
            .routes());
    routes.addAll(OperationControlCalls.routes(writes));
    routes.addAll(new DraftCalls(database).routes());
    routes.addAll(new PublicationCalls(database, writes).routes());
    routes.addAll(new SyncCalls(database, stores, writes).routes());
    routes.addAll(new AiTaskCalls(database, writes).routes());
    routes.addAll(new WorkspaceCalls(database).routes());
    routes.addAll(new UserCalls(database).routes());
    routes.addAll(new AccessKeyCalls(database, config.accessKeyOverlap()).routes());
    routes.addAll(new MediaCalls(database, writes, config.maxMediaBytes()).routes());
    routes.addAll(new MaterialTransferCalls(database, writes).routes());
    FlowWork flows = new FlowWork(stores);
    HookStore hooks = new HookStore(config.credentialCipher());
    routes.addAll(new FlowCalls(database, config.fingerprintKeys(), flows).routes());
    routes.addAll(
        new HookDeliveries(database, hooks, config.fingerprintKeys(), flows, Clock.systemUTC())
            .routes());
    routes.addAll(new HookCalls(database, hooks).routes());
    routes.addAll(HealthCalls.routes(checks, metrics));
    routes.addAll(new DescriptionCalls().routes());
    return List.copyOf(routes);
  }

  /** Every call that is answered. */
  List<Route> routes() {
    return routes;
  }

  /** The port that is listened on. */
  public int port() {
    return http.port();
  }

  /** Answers the waiting, lets running requests end within the grace time, then stops. */
  @Override
  public void close() {
    waiter.close();
    cleaner.close();
    http.close();
    keyUse.close();
    tracing.close();
    probe.close();
    pool.close();
    metrics.close();
  }
}

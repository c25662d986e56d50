package dev.onceward.local.cluster;

import dev.onceward.embedded.FreePorts;
import dev.onceward.embedded.KafkaBroker;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.TcpProxy;
import dev.onceward.local.platform.PlatformBehaviour;
import dev.onceward.local.platform.PlatformSimulator;
import dev.onceward.process.StartupException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * A running cluster. Thread-safe; its parts may be killed and started again by whoever tests that.
 */
public final class LocalCluster implements AutoCloseable {

  private static final String DATABASE = "onceward";
  private static final String SECOND_RELAY = "relay-2";
  private static final String TOPIC_PREFIX = "onceward.topic-prefix";
  private static final Duration READY_LIMIT = Duration.ofSeconds(90);
  private static final Duration WATCH_INTERVAL = Duration.ofMillis(300);

  private final DataDirectory data;
  private final ClusterOptions options;
  private final LocalServers servers;
  private final PlatformSimulator platform;
  private final ClusterState state;
  private final WorkspaceAccess access;
  private final Service api;
  private final Service relay;
  private final Service workers;
  private final @Nullable Service console;
  private final Map<String, TcpProxy> networks;
  private @Nullable Service secondRelay;

  private LocalCluster(
      DataDirectory data,
      ClusterOptions options,
      LocalServers servers,
      PlatformSimulator platform,
      ClusterState state) {
    this.data = data;
    this.options = options;
    this.servers = servers;
    this.platform = platform;
    this.state = state;
    this.access = Objects.requireNonNull(state.access(), "made before the services start");
    this.networks = options.networks() ? proxies(servers.postgres().port()) : Map.of();
    ClusterPorts ports = state.ports();
    this.api = service("api", "dev.onceward.api.ApiMain", ports.api());
    this.relay = service("relay", "dev.onceward.relay.RelayMain", ports.relay());
    this.workers = service("workers", "dev.onceward.worker.WorkerMain", ports.workers());
    this.console =
        options.console()
            ? service("console", "dev.onceward.ops.console.ConsoleMain", ports.console())
            : null;
  }

  /**
   * Starts everything and returns when all of it is ready.
   *
   * @param progress is told of each step
   * @throws StartupException with the one thing that could not be started
   * @throws InterruptedException when the caller is interrupted; everything is stopped by then
   */
  public static LocalCluster start(ClusterOptions options, Progress progress)
      throws InterruptedException {
    DataDirectory data = DataDirectory.open(options.data());
    LocalServers servers = null;
    PlatformSimulator platform = null;
    LocalCluster cluster = null;
    boolean complete = false;
    try {
      ClusterState known = ClusterState.load(data.state());
      ClusterState state = known == null ? ClusterState.fresh() : known;
      state = state.withPorts(PortChoice.choose(options.ports(), state.ports()));
      state.save(data.state());
      servers = LocalServers.start(data, state.ports(), progress);
      platform = startPlatform(state.ports().platform());
      long before = System.nanoTime();
      DatabaseSetup setup = new DatabaseSetup(servers.postgres(), DATABASE, state.secrets());
      setup.prepare();
      if (state.access() == null) {
        state = state.withAccess(setup.createWorkspace("local", "local user", "local key"));
        state.save(data.state());
      }
      progress.done("roles and migrations", Duration.ofNanos(System.nanoTime() - before));
      cluster = new LocalCluster(data, options, servers, platform, state);
      cluster.startServices(progress);
      complete = true;
      return cluster;
    } finally {
      if (!complete) {
        data.keep();
        closeAll(cluster, platform, servers, data);
      }
    }
  }

  /** Where its files are; a temporary directory unless one was named. */
  public Path directory() {
    return data.path();
  }

  /** Whether the directory is deleted at the end. */
  public boolean isTemporary() {
    return data.isTemporary();
  }

  /** The database server. */
  public PostgresServer postgres() {
    return servers.postgres();
  }

  /** The broker. */
  public KafkaBroker kafka() {
    return servers.kafka();
  }

  /** Host and port of the broker for clients. */
  public String bootstrapServers() {
    return servers.kafka().bootstrapServers();
  }

  /** The simulated platform. */
  public PlatformSimulator platform() {
    return platform;
  }

  /** The API's process. */
  public Service api() {
    return api;
  }

  /** The relay's process. */
  public Service relay() {
    return relay;
  }

  /**
   * A second relay with the same settings, to stand by for the first. Made at the first call and
   * not started; {@link #close} stops it.
   */
  public synchronized Service secondRelay() {
    Service second = secondRelay;
    if (second == null) {
      int port = FreePorts.next();
      Map<String, String> values = settings(SECOND_RELAY).relay();
      values.put("onceward.relay.health-port", Integer.toString(port));
      writeConfig(SECOND_RELAY, values);
      second = service(SECOND_RELAY, "dev.onceward.relay.RelayMain", port);
      secondRelay = second;
    }
    return second;
  }

  /** The workers' process. */
  public Service workers() {
    return workers;
  }

  /** The console's address; null if it was not asked for. */
  public @Nullable URI consoleUrl() {
    return console == null ? null : URI.create("http://127.0.0.1:" + state.ports().console());
  }

  /** The password of the login {@code onceward_ops}, for the console. */
  public String operatorPassword() {
    return state.secrets().password(ClusterSecrets.OPS);
  }

  /** Its address, without a path. */
  public URI apiUrl() {
    return URI.create("http://127.0.0.1:" + state.ports().api());
  }

  /** Every port in use. */
  public ClusterPorts ports() {
    return state.ports();
  }

  /** The workspace that the first start made, with its key. */
  public WorkspaceAccess access() {
    return access;
  }

  /** Makes another workspace with a user and a key. */
  public WorkspaceAccess createWorkspace(String name) {
    return new DatabaseSetup(postgres(), DATABASE, state.secrets())
        .createWorkspace(name, name + " user", name + " key");
  }

  /** The topic of an aggregate type. */
  public String topic(String aggregateType) {
    return options.settings().getOrDefault(TOPIC_PREFIX, "onceward.") + aggregateType;
  }

  /** A properties file for the operator's command line. */
  public Path opsConfig() {
    return data.config("ops");
  }

  /** A new connection as {@code onceward_ops}, which sees all workspaces; the caller closes it. */
  public Connection connectAsOps() throws SQLException {
    return connect(ClusterSecrets.OPS);
  }

  /** A new connection as {@code onceward_app}, as a backend has it; the caller closes it. */
  public Connection connectAsApp() throws SQLException {
    return connect(ClusterSecrets.APP);
  }

  /**
   * A new connection of the superuser; the caller closes it.
   *
   * @param limit how long the server may take to answer, now and later
   */
  public Connection connectAsSuperuser(Duration limit) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", postgres().superuser());
    properties.setProperty("password", postgres().superuserPassword());
    properties.setProperty("connectTimeout", Long.toString(limit.toSeconds()));
    properties.setProperty("socketTimeout", Long.toString(limit.toSeconds()));
    return DriverManager.getConnection(databaseUrl(), properties);
  }

  /**
   * Between a service, by its name, and PostgreSQL; empty unless {@link
   * ClusterOptions#withNetworks} was asked for.
   */
  public Map<String, TcpProxy> networks() {
    return networks;
  }

  /** The JDBC address of the database, without user and password. */
  public String databaseUrl() {
    return postgres().jdbcUrl(DATABASE);
  }

  /**
   * Waits as long as all parts run.
   *
   * @throws StartupException when one has ended by itself
   * @throws InterruptedException when the caller is interrupted
   */
  public void watch() throws InterruptedException {
    while (true) {
      for (Service service : withConsole(List.of(api, relay, workers))) {
        if (!service.isRunning()) {
          data.keep();
          throw service.failed("has ended");
        }
      }
      if (!postgres().isRunning()) {
        throw ended("PostgreSQL", postgres().logTail());
      }
      if (!kafka().isRunning()) {
        throw ended("Kafka", kafka().logTail());
      }
      Thread.sleep(WATCH_INTERVAL.toMillis());
    }
  }

  /**
   * Starts whatever does not run and waits until all services are ready.
   *
   * @throws StartupException with the one thing that could not be started
   */
  public void startAgain() throws InterruptedException {
    postgres().start();
    kafka().start();
    List<Service> services = withConsole(List.of(relay, api, workers));
    services.forEach(Service::start);
    for (Service service : services) {
      service.awaitReady(READY_LIMIT);
    }
  }

  /** Leaves a temporary directory behind when the cluster is closed, for its logs. */
  public void keepFiles() {
    data.keep();
  }

  /** Stops everything, the API first and PostgreSQL last. An interrupt does not cut it short. */
  @Override
  public void close() {
    closeAll(this, platform, servers, data);
  }

  private Connection connect(String role) throws SQLException {
    return DriverManager.getConnection(databaseUrl(), role, state.secrets().password(role));
  }

  private static Map<String, TcpProxy> proxies(int target) {
    Map<String, TcpProxy> proxies = new LinkedHashMap<>();
    for (String service : List.of("api", "relay", SECOND_RELAY, "workers")) {
      proxies.put(service, TcpProxy.to(target));
    }
    return Collections.unmodifiableMap(proxies);
  }

  private ServiceSettings settings(String service) {
    TcpProxy network = networks.get(service);
    String url =
        network == null
            ? databaseUrl()
            : "jdbc:postgresql://127.0.0.1:" + network.port() + "/" + DATABASE;
    return new ServiceSettings(options, state, url, bootstrapServers());
  }

  private void startServices(Progress progress) throws InterruptedException {
    writeConfig("api", settings("api").api());
    writeConfig("relay", settings("relay").relay());
    writeConfig("workers", settings("workers").workers());
    writeConfig("ops", settings("ops").ops());
    long before = System.nanoTime();
    if (console != null) {
      writeConfig("console", settings("console").console());
    }
    List<Service> services = withConsole(List.of(relay, api, workers));
    services.forEach(Service::start);
    for (Service service : services) {
      service.awaitReady(READY_LIMIT);
      progress.done(
          service.name() + " on port " + service.health().getPort(),
          Duration.ofNanos(System.nanoTime() - before));
    }
  }

  private synchronized void stopSecondRelay() {
    if (secondRelay != null) {
      secondRelay.stop();
    }
  }

  private List<Service> withConsole(List<Service> services) {
    List<Service> all = new ArrayList<>(services);
    if (console != null) {
      all.add(console);
    }
    return all;
  }

  private void writeConfig(String service, Map<String, String> values) {
    Path file = data.config(service);
    try {
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
      PropertiesFile.write(file, "Written by onceward at each start. It holds secrets.", values);
    } catch (IOException failure) {
      throw StartupException.unavailable(
          file + " cannot be written (" + failure.getMessage() + ")",
          "Name a directory that you may write with --data",
          failure);
    }
  }

  private Service service(String name, String mainClass, int port) {
    return new Service(
        name, mainClass, options.jvmFlags(), data.config(name), data.log(name), port);
  }

  private static PlatformSimulator startPlatform(int port) {
    try {
      return PlatformSimulator.start(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
          PlatformBehaviour.NORMAL,
          1);
    } catch (IOException failure) {
      throw StartupException.unavailable(
          "the platform simulator cannot listen on port "
              + port
              + " ("
              + failure.getMessage()
              + ")",
          "Choose another port with --platform-port N",
          failure);
    }
  }

  private StartupException ended(String server, String logTail) {
    data.keep();
    return StartupException.unavailable(
        server + " has ended; its last lines:\n" + logTail + "\n", "See " + data.path(), null);
  }

  private static void closeAll(
      @Nullable LocalCluster cluster,
      @Nullable PlatformSimulator platform,
      @Nullable LocalServers servers,
      DataDirectory data) {
    // Stopping waits for processes; a pending interrupt would cut each wait short.
    boolean interrupted = Thread.interrupted();
    try (data;
        servers;
        platform) {
      if (cluster != null) {
        if (cluster.console != null) {
          cluster.console.stop();
        }
        cluster.api.stop();
        cluster.relay.stop();
        cluster.stopSecondRelay();
        cluster.workers.stop();
        cluster.networks.values().forEach(TcpProxy::close);
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}

package dev.onceward.local.platform;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Clock;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The simulated platform as a running HTTP server.
 *
 * <p>Thread-safe. The behaviour may be changed while it runs and holds for calls that arrive
 * afterwards. The ledger outlives {@link #close()}.
 */
public final class PlatformSimulator implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PlatformSimulator.class);

  static {
    // Read once by the JDK's server. Without it a kept-alive connection waits for a delayed
    // acknowledgement of 40 ms between the headers and the body of each answer.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final PlatformLedger ledger = new PlatformLedger(Clock.systemUTC());
  private volatile PlatformBehaviour behaviour;
  private final HttpServer server;
  private final ExecutorService executor;

  private PlatformSimulator(HttpServer server, PlatformBehaviour behaviour, long seed) {
    this.server = server;
    this.behaviour = behaviour;
    AtomicInteger number = new AtomicInteger();
    this.executor =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "platform-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    LedgerEndpoint books = new LedgerEndpoint(ledger);
    route("/", exchange -> SimulatorAnswers.error(exchange, 404, "no such path"));
    route("/health", PlatformSimulator::health);
    call("/v1/credential-verifications", new Verification(), seed);
    call("/v1/listings", new Listings(), seed + 1);
    call("/v1/product-pages", new ProductPages(), seed + 2);
    call("/v1/ai-tasks", new AiTasks(), seed + 3);
    Materials materials = new Materials(() -> this.behaviour, new Random(seed + 4)::nextDouble);
    route(Materials.PREFIX, only("GET", materials::handle));
    route(LedgerEndpoint.PREFIX, books::handle);
    server.setExecutor(executor);
  }

  /**
   * Starts a simulator.
   *
   * @param address where it listens; port 0 takes a free one
   * @param behaviour how it treats its callers at first
   * @param seed of the draw by which calls fail or lose their answer, so that a run can be repeated
   * @throws IOException when the address is taken or not of this machine
   */
  public static PlatformSimulator start(
      InetSocketAddress address, PlatformBehaviour behaviour, long seed) throws IOException {
    // The backlog: a burst of callers waits for a thread instead of being refused.
    PlatformSimulator simulator =
        new PlatformSimulator(HttpServer.create(address, 1024), behaviour, seed);
    simulator.server.start();
    return simulator;
  }

  /** The port that it listens on. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** The base address for callers on this machine, without a slash at the end. */
  public URI url() {
    return URI.create("http://127.0.0.1:" + port());
  }

  /** The books. */
  public PlatformLedger ledger() {
    return ledger;
  }

  /** Changes how calls that arrive from now on are treated. */
  public void behave(PlatformBehaviour newBehaviour) {
    behaviour = newBehaviour;
  }

  /** Stops at once; open calls are cut. A second call does nothing. */
  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
  }

  private void call(String path, SimulatorWork work, long seed) {
    CallEndpoint endpoint = new CallEndpoint(work, ledger, () -> behaviour, seed);
    route(path, only("POST", endpoint::handle));
  }

  private void route(String path, Endpoint endpoint) {
    server.createContext(path, exchange -> serve(exchange, endpoint));
  }

  private static void serve(HttpExchange exchange, Endpoint endpoint) {
    try (exchange) {
      endpoint.handle(exchange);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (IOException gone) {
      LOG.debug("A caller of the platform simulator went away", gone);
    } catch (RuntimeException bug) {
      LOG.error(
          "The platform simulator failed on a {} request; its caller gets no answer",
          exchange.getRequestMethod(),
          bug);
    }
  }

  private static Endpoint only(String method, Endpoint endpoint) {
    return exchange -> {
      if (exchange.getRequestMethod().equals(method)) {
        endpoint.handle(exchange);
      } else {
        exchange.getResponseHeaders().set("Allow", method);
        SimulatorAnswers.error(exchange, 405, "only " + method + " here");
      }
    };
  }

  private static void health(HttpExchange exchange) throws IOException {
    SimulatorAnswers.json(exchange, 200, Map.of("status", "UP"));
  }

  private interface Endpoint {
    void handle(HttpExchange exchange) throws IOException, InterruptedException;
  }
}

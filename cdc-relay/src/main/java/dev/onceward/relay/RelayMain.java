package dev.onceward.relay;

import dev.onceward.process.HealthChecks;
import dev.onceward.process.HealthEndpoint;
import dev.onceward.process.ProcessMetrics;
import dev.onceward.process.ProcessRunner;
import dev.onceward.process.Shutdown;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The relay process. */
public final class RelayMain {
  private static final Logger LOG = LoggerFactory.getLogger(RelayMain.class);
  private static final String NAME = "onceward-relay";

  private RelayMain() {}

  /** Runs until SIGTERM. */
  public static void main(String[] arguments) {
    new ProcessRunner(NAME, "Streams committed outbox events from PostgreSQL's log to Kafka.")
        .runAndExit(arguments, RelayConfig::from, RelayMain::run);
  }

  private static void run(RelayConfig config, Shutdown shutdown) throws InterruptedException {
    HealthChecks checks = new HealthChecks();
    checks.register(shutdown);
    AtomicReference<RuntimeException> fatal = new AtomicReference<>();
    // The other half of the grace time is for closing what does not drain.
    Duration drainPatience = shutdown.grace().dividedBy(2);
    PrometheusMeterRegistry registry = ProcessMetrics.registry(NAME);
    try (HealthEndpoint endpoint =
            HealthEndpoint.start(
                config.healthHost(),
                config.healthPort(),
                RelayConfig.HEALTH_PORT,
                checks,
                registry);
        Relay relay =
            Relay.start(
                config,
                registry,
                checks,
                drainPatience,
                failure -> {
                  fatal.set(failure);
                  shutdown.request();
                })) {
      LOG.info("Health and metrics are served on port {}", endpoint.port());
      shutdown.await();
    } finally {
      registry.close();
    }
    RuntimeException failure = fatal.get();
    if (failure != null) {
      throw failure;
    }
  }
}

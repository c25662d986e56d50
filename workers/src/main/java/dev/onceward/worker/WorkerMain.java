package dev.onceward.worker;

import dev.onceward.process.ExitCode;
import dev.onceward.process.HealthChecks;
import dev.onceward.process.ProcessRunner;
import dev.onceward.process.Shutdown;
import dev.onceward.process.StartupException;
import dev.onceward.worker.handle.EventHandler;
import dev.onceward.worker.handle.HandlerEnvironment;
import dev.onceward.worker.handle.HandlerProvider;
import dev.onceward.worker.handle.HandlerRegistrationException;
import dev.onceward.worker.http.HttpEventHandler;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/** The process {@code onceward-workers}. */
public final class WorkerMain {

  private WorkerMain() {}

  /** Runs until SIGTERM. */
  public static void main(String[] arguments) {
    new ProcessRunner("onceward-workers", "Does what events ask for, once each.")
        .classify(WorkerMain::classify)
        .runAndExit(arguments, WorkerConfig::from, WorkerMain::run);
  }

  private static void run(WorkerConfig config, Shutdown shutdown) throws Exception {
    HealthChecks checks = new HealthChecks();
    checks.register(shutdown);
    Worker worker = new Worker(config, handlers(config), checks);
    try {
      worker.start(shutdown::isRequested);
      shutdown.await();
    } finally {
      worker.stop(shutdown.grace());
    }
  }

  private static List<EventHandler> handlers(WorkerConfig config) {
    HandlerEnvironment environment =
        new HandlerEnvironment(
            config.credentials(),
            config.platformUrl(),
            config.platformTimeout(),
            config.materials());
    List<EventHandler> handlers = new ArrayList<>();
    ServiceLoader.load(HandlerProvider.class)
        .forEach(provider -> handlers.addAll(provider.handlers(environment)));
    config
        .httpHandlers()
        .forEach(endpoint -> handlers.add(new HttpEventHandler(endpoint, Clock.systemUTC())));
    return handlers;
  }

  private static @Nullable StartupException classify(Throwable failure) {
    if (failure instanceof HandlerRegistrationException registration) {
      return new StartupException(
          ExitCode.CONFIGURATION,
          String.valueOf(registration.getMessage()),
          "Correct the handlers on the class path",
          registration);
    }
    if (failure instanceof ConfigException refused) {
      return new StartupException(
          ExitCode.CONFIGURATION,
          "Kafka's client refuses its settings: " + refused.getMessage(),
          "Correct onceward.kafka.*, whose names below that are Kafka's",
          refused);
    }
    return null;
  }
}

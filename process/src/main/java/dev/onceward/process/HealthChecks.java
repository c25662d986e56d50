package dev.onceward.process;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The checks of one process. Thread-safe; parts join as they start. */
public final class HealthChecks {
  private static final Logger LOG = LoggerFactory.getLogger(HealthChecks.class);
  private static final long PATIENCE_SECONDS = 2;

  private final List<HealthCheck> checks = new CopyOnWriteArrayList<>();
  private final ReentrantLock oneAtATime = new ReentrantLock();

  /**
   * @throws IllegalArgumentException when a check of this name is there already
   */
  public synchronized void register(HealthCheck check) {
    if (checks.stream().anyMatch(other -> other.name().equals(check.name()))) {
      throw new IllegalArgumentException("a second health check named " + check.name());
    }
    checks.add(check);
  }

  /** Exports the state as {@code onceward.ready}, so that an alert can name what stands still. */
  public void measure(MeterRegistry registry) {
    Gauge.builder("onceward.ready", this, checks -> checks.report().httpStatus() == 200 ? 1 : 0)
        .description("1 while every health check is UP, else 0; /health/ready has the reasons.")
        .register(registry);
  }

  /** The present state; DOWN when an earlier call hangs in a check for more than two seconds. */
  public HealthReport report() {
    boolean turn = false;
    try {
      turn = oneAtATime.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS);
      return turn ? runAll() : down("a health check hangs; see the stack of its thread");
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return down("the health check was interrupted");
    } finally {
      if (turn) {
        oneAtATime.unlock();
      }
    }
  }

  private HealthReport runAll() {
    Map<String, Health> found = new LinkedHashMap<>();
    for (HealthCheck check : checks) {
      found.put(check.name(), run(check));
    }
    return new HealthReport(found);
  }

  private static Health run(HealthCheck check) {
    try {
      return check.check();
    } catch (RuntimeException failure) {
      LOG.warn("the health check {} failed, so the process counts as down", check.name(), failure);
      return Health.down("the check itself failed with " + failure.getClass().getSimpleName());
    }
  }

  private static HealthReport down(String reason) {
    return new HealthReport(Map.of("health", Health.down(reason)));
  }
}

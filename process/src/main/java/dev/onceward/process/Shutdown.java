package dev.onceward.process;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * The wish that this process ends. Thread-safe. It is also a health check: a process that is asked
 * to end is not ready any more.
 */
public final class Shutdown implements HealthCheck {
  private final CountDownLatch requested = new CountDownLatch(1);
  private final Duration grace;

  /**
   * @param grace how long the process has from the request until it is ended without its consent
   */
  public Shutdown(Duration grace) {
    this.grace = grace;
  }

  /** Asks the process to end: SIGTERM does, and so may a part of it. Idempotent. */
  public void request() {
    requested.countDown();
  }

  public boolean isRequested() {
    return requested.getCount() == 0;
  }

  /** Blocks until {@link #request}. */
  public void await() throws InterruptedException {
    requested.await();
  }

  /** The time a body has from the request to leave its {@code try} blocks. */
  public Duration grace() {
    return grace;
  }

  @Override
  public String name() {
    return "shutdown";
  }

  @Override
  public Health check() {
    return isRequested() ? Health.down("the process is stopping") : Health.up();
  }
}

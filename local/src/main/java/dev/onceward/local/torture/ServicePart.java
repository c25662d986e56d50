package dev.onceward.local.torture;

import dev.onceward.embedded.ChildProcess;
import dev.onceward.local.cluster.Service;

/** One of our processes. */
final class ServicePart implements Part {

  private final Service service;

  ServicePart(Service service) {
    this.service = service;
  }

  @Override
  public String name() {
    return service.name();
  }

  @Override
  public boolean strike(FaultKind kind) {
    ChildProcess process = service.process();
    switch (kind) {
      case KILL -> service.kill();
      case FREEZE -> {
        if (process != null && process.isAlive()) {
          process.suspend();
        }
      }
      case RESTART -> service.stop();
      default -> throw new IllegalArgumentException(name() + " cannot be " + kind.words());
    }
    return true;
  }

  @Override
  public void repair() {
    ChildProcess process = service.process();
    if (process != null && process.isAlive()) {
      process.resume();
    }
    service.start();
  }

  @Override
  public boolean isRunning() {
    return service.isRunning();
  }
}

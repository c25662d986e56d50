package dev.onceward.local.torture;

import dev.onceward.embedded.InfrastructureException;
import dev.onceward.embedded.KafkaBroker;

/** The broker. */
final class KafkaPart implements Part {

  static final String NAME = "kafka";

  private final KafkaBroker broker;

  KafkaPart(KafkaBroker broker) {
    this.broker = broker;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean strike(FaultKind kind) {
    switch (kind) {
      case KILL -> broker.kill();
      case FREEZE -> {
        if (broker.isRunning()) {
          broker.suspend();
        }
      }
      case RESTART -> stop();
      default -> throw new IllegalArgumentException(NAME + " cannot be " + kind.words());
    }
    return true;
  }

  private void stop() {
    try {
      broker.stop();
    } catch (InfrastructureException slow) {
      broker.kill(); // an orderly stop that takes too long is ended as an operator would
    }
  }

  @Override
  public void repair() {
    if (broker.isRunning()) {
      broker.resume();
    }
    broker.start();
  }

  @Override
  public boolean isRunning() {
    return broker.isRunning();
  }
}

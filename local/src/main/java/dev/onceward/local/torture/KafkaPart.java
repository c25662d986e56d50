package dev.onceward.local.torture;

import dev.onceward.embedded.InfrastructureException;
import dev.onceward.embedded.KafkaBroker;
import java.util.EnumSet;
import java.util.Set;

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
  public Set<FaultKind> kinds() {
    return EnumSet.of(FaultKind.KILL, FaultKind.FREEZE, FaultKind.RESTART);
  }

  @Override
  public void strike(FaultKind kind) {
    switch (kind) {
      case KILL -> broker.kill();
      case FREEZE -> {
        if (broker.isRunning()) {
          broker.suspend();
        }
      }
      case RESTART, IMMEDIATE -> stop();
    }
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

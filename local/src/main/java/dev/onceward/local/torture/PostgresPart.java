package dev.onceward.local.torture;

import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.ShutdownMode;

/** The database server. */
final class PostgresPart implements Part {

  static final String NAME = "postgres";

  private final PostgresServer server;

  PostgresPart(PostgresServer server) {
    this.server = server;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean strike(FaultKind kind) {
    switch (kind) {
      case KILL -> server.kill();
      case IMMEDIATE -> server.stop(ShutdownMode.IMMEDIATE);
      case RESTART -> server.stop(ShutdownMode.FAST);
      case FREEZE -> {
        if (server.isRunning()) {
          server.suspend();
        }
      }
      default -> throw new IllegalArgumentException(NAME + " cannot be " + kind.words());
    }
    return true;
  }

  @Override
  public void repair() {
    if (server.isRunning()) {
      server.resume();
    }
    server.start();
  }

  @Override
  public boolean isRunning() {
    return server.isRunning();
  }
}

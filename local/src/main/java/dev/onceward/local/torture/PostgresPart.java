package dev.onceward.local.torture;

import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.ShutdownMode;
import java.util.EnumSet;
import java.util.Set;

/** The database server. Its processes belong to a session of their own, so they are not frozen. */
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
  public Set<FaultKind> kinds() {
    return EnumSet.of(FaultKind.KILL, FaultKind.RESTART, FaultKind.IMMEDIATE);
  }

  @Override
  public void strike(FaultKind kind) {
    switch (kind) {
      case KILL -> server.kill();
      case IMMEDIATE -> server.stop(ShutdownMode.IMMEDIATE);
      case RESTART, FREEZE -> server.stop(ShutdownMode.FAST);
    }
  }

  @Override
  public void repair() {
    server.start();
  }

  @Override
  public boolean isRunning() {
    return server.isRunning();
  }
}

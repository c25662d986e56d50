package dev.onceward.local.torture;

import dev.onceward.embedded.TcpProxy;

/** The network between one of our processes and the database. */
final class NetworkPart implements Part {

  private final String service;
  private final TcpProxy proxy;

  NetworkPart(String service, TcpProxy proxy) {
    this.service = service;
    this.proxy = proxy;
  }

  /** What the network of a service is called. */
  static String name(String service) {
    return service + "-database";
  }

  @Override
  public String name() {
    return name(service);
  }

  @Override
  public boolean strike(FaultKind kind) {
    proxy.become(
        switch (kind) {
          case BROKEN -> TcpProxy.Condition.BROKEN;
          case SLOW -> TcpProxy.Condition.SLOW;
          case BLACK_HOLE -> TcpProxy.Condition.BLACK_HOLE;
          default -> throw new IllegalArgumentException(name() + " cannot be " + kind.words());
        });
    return true;
  }

  @Override
  public void repair() {
    proxy.become(TcpProxy.Condition.GOOD);
  }

  /** It has no process. */
  @Override
  public boolean isRunning() {
    return true;
  }
}

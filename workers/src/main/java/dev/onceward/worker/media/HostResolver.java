package dev.onceward.worker.media;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Finds the addresses of a host. Implementations are thread-safe. */
@FunctionalInterface
interface HostResolver {

  /** At least one address; a literal address is its own. */
  InetAddress[] resolve(String host) throws UnknownHostException;
}

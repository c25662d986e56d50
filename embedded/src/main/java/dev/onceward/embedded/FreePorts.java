package dev.onceward.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds TCP ports of the loopback address that nobody listens on. Thread-safe.
 *
 * <p>They lie below the ephemeral ranges of Linux (from 32768) and macOS (from 49152). A port
 * inside could be given to an outgoing connection while its server is down; a client that retries
 * against its own dead server can even be connected to itself.
 */
public final class FreePorts {
  private static final int LOWEST = 20_000;
  private static final int BEYOND = 32_000;
  private static final int TRIES = 200;
  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private FreePorts() {}

  /**
   * A port that is free now and has not been given out by this JVM before. Another process may
   * still take it before it is used.
   *
   * @throws InfrastructureException if none was found
   */
  public static int next() {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, BEYOND);
      if (GIVEN.add(port) && isFree(port)) {
        return port;
      }
    }
    throw new InfrastructureException(
        "No free TCP port on the loopback address between %d and %d after %d tries. End servers that are no longer needed."
            .formatted(LOWEST, BEYOND - 1, TRIES));
  }

  /** Whether a server could listen on this port of the loopback address now. */
  public static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }

  static int requireValid(int port) {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException(
          "Port %d is not between 1 and 65535 (0 takes a free one).".formatted(port));
    }
    return port;
  }

  static void requireFree(int port, String server) {
    if (!isFree(port)) {
      throw taken(port, server);
    }
  }

  static InfrastructureException taken(int port, String server) {
    return new InfrastructureException(
        "Port %d, asked for by %s, is taken on 127.0.0.1. End the process that listens there, or give another port (0 takes a free one)."
            .formatted(port, server));
  }
}

package dev.onceward.embedded;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;

/** Waits until a broker tells a client of itself. */
final class KafkaReadiness {
  private static final Duration PAUSE = Duration.ofMillis(25);
  private static final int CONNECT_MILLIS = 2_000;

  private final String host;
  private final int port;
  private final StartingServer process;
  private final Duration limit;
  private final Instant deadline;

  private KafkaReadiness(String host, int port, StartingServer process, Duration limit) {
    this.host = host;
    this.port = port;
    this.process = process;
    this.limit = limit;
    this.deadline = Instant.now().plus(limit);
  }

  static void await(String host, int port, StartingServer process, Duration limit) {
    KafkaReadiness readiness = new KafkaReadiness(host, port, process, limit);
    readiness.awaitListener();
    readiness.awaitAnswer();
  }

  /** A client that finds nobody only logs, and waits longer from try to try. */
  private void awaitListener() {
    while (true) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
        return;
      } catch (IOException e) {
        pauseAfter(e);
      }
    }
  }

  private void awaitAnswer() {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", host + ":" + port))) {
      while (true) {
        try {
          if (!admin
              .describeCluster()
              .nodes()
              .get(CONNECT_MILLIS, TimeUnit.MILLISECONDS)
              .isEmpty()) {
            return;
          }
          pauseAfter(new IOException("no node is known"));
        } catch (ExecutionException | TimeoutException e) {
          pauseAfter(e);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new InfrastructureException("Interrupted while Kafka was starting.", e);
        }
      }
    }
  }

  private void pauseAfter(Exception failure) {
    if (process.awaitExit(PAUSE)) {
      throw process.ended();
    }
    if (Instant.now().isAfter(deadline)) {
      throw new InfrastructureException(
          "Kafka, %s, does not answer on %s:%d after %d s."
              .formatted(process.place(), host, port, limit.toSeconds()),
          failure);
    }
  }
}

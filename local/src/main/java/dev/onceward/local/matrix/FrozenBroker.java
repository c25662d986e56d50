package dev.onceward.local.matrix;

import dev.onceward.embedded.KafkaBroker;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;

/** A broker that is frozen while a large record comes in. Confined to one thread. */
final class FrozenBroker {

  private static final Duration LIMIT = Duration.ofSeconds(4);

  private final Site site;

  FrozenBroker(Site site) {
    this.site = site;
  }

  /**
   * Sends a large event first, so that the relay knows the topic and is connected to its leader.
   *
   * @return whether its record came
   */
  boolean isReached(Writing writing) throws SQLException, IOException, InterruptedException {
    String id = writing.commit(Writing.LARGE, 1).ids().get(0).toString();
    String topic = site.cluster().topic(Writing.LARGE);
    return Waiting.until(
        LIMIT, () -> site.records(topic).stream().anyMatch(record -> record.key().equals(id)));
  }

  /**
   * Freezes it and commits a large event.
   *
   * @return whether its record came to lie unread in the broker's socket
   */
  boolean takes(Writing writing) throws SQLException, IOException, InterruptedException {
    KafkaBroker broker = site.cluster().kafka();
    broker.suspend();
    Writing.Committed unused = writing.commit(Writing.LARGE, 1);
    String address = broker.bootstrapServers();
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    return Waiting.until(LIMIT, () -> SocketQueues.largest(port) >= Writing.LARGE_BYTES);
  }

  /** Lets it go on; does nothing when it is dead. */
  void release() {
    KafkaBroker broker = site.cluster().kafka();
    if (broker.isRunning()) {
      broker.resume();
    }
  }
}

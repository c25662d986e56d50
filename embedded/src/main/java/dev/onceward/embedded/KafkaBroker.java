package dev.onceward.embedded;

/**
 * A real Kafka broker (one KRaft node) that belongs to this JVM: a child process, or a container.
 * Topics are not made by themselves. Thread-safe.
 *
 * <p>{@link #close()} stops it and deletes what was temporary.
 */
public interface KafkaBroker extends AutoCloseable {

  /**
   * Starts a broker as a child process and returns when it answers.
   *
   * @throws InfrastructureException with value and remedy: port taken, directory in use, a setting
   *     refused
   */
  static KafkaBroker start(KafkaOptions options) {
    return EmbeddedKafka.started(options);
  }

  /** Host and port for clients; the same after every restart. */
  String bootstrapServers();

  /** Whether the broker process runs (a suspended one does). */
  boolean isRunning();

  /** Starts it again on the same data and port; returns when it answers. No effect if it runs. */
  void start();

  /** Stops it in order; returns when it is gone. No effect if it does not run. */
  void stop();

  /** SIGKILL; returns when it is gone. Acknowledged records survive in the page cache. */
  void kill();

  /** SIGSTOP: connections stay open and nothing is answered. */
  void suspend();

  /** SIGCONT: goes on after {@link #suspend()}. */
  void resume();

  /** The last lines of the broker's log. */
  String logTail();

  /** Stops the broker, gives a kept directory free and deletes a temporary one. */
  @Override
  void close();
}

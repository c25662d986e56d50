package dev.onceward.embedded;

import org.jspecify.annotations.Nullable;

/**
 * The one PostgreSQL server and the one Kafka broker that all tests of a JVM share; each starts
 * when first asked for, and both end with the JVM. A server that a test has killed or stopped is
 * started again when the next one asks. Thread-safe.
 */
public final class SharedServers {
  private static @Nullable PostgresServer postgres;
  private static @Nullable KafkaBroker kafka;

  private SharedServers() {}

  /** The shared server; temporary, and not durable: a crash test makes its own. */
  public static synchronized PostgresServer postgres() {
    PostgresServer shared = postgres;
    if (shared == null) {
      shared =
          TestInfrastructure.fromEnvironment()
              .startPostgres(PostgresOptions.temporary().withoutDurability());
      postgres = shared;
      closeAtExit(shared::close);
    }
    shared.start();
    return shared;
  }

  /** The shared broker; temporary. */
  public static synchronized KafkaBroker kafka() {
    KafkaBroker shared = kafka;
    if (shared == null) {
      shared = TestInfrastructure.fromEnvironment().startKafka(KafkaOptions.temporary());
      kafka = shared;
      closeAtExit(shared::close);
    }
    shared.start();
    return shared;
  }

  private static void closeAtExit(Runnable close) {
    Runtime.getRuntime().addShutdownHook(new Thread(close, "onceward-shared-servers"));
  }
}

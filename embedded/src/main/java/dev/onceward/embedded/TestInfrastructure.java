package dev.onceward.embedded;

import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the tests' servers run on: the value of {@code ONCEWARD_TEST_INFRA}. */
public enum TestInfrastructure {
  /** Child processes of this JVM. */
  EMBEDDED,
  /** Containers, by Testcontainers. Failure: the start says so if Docker does not answer. */
  DOCKER,
  /**
   * Containers where Docker answers and has the images, so that nothing is downloaded unasked; else
   * child processes. The default. Failure: a container that does not start is reported as a
   * warning, and a child process takes its place.
   */
  AUTOMATIC;

  private static final Logger LOG = LoggerFactory.getLogger(TestInfrastructure.class);

  /** The environment variable. */
  public static final String VARIABLE = "ONCEWARD_TEST_INFRA";

  /**
   * What the environment asks for.
   *
   * @throws InfrastructureException for an unknown value
   */
  public static TestInfrastructure fromEnvironment() {
    return parse(System.getenv(VARIABLE));
  }

  /**
   * Starts a server of this kind. One with a kept directory is a child process in any case.
   *
   * @throws InfrastructureException as {@link PostgresServer#start(PostgresOptions)}, or if Docker
   *     was asked for and does not answer
   */
  public PostgresServer startPostgres(PostgresOptions options) {
    return start(
        options.directory() != null,
        () -> ContainerPostgres.started(options),
        () -> PostgresServer.start(options));
  }

  /**
   * Starts a broker of this kind. One with a kept directory is a child process in any case.
   *
   * @throws InfrastructureException as {@link KafkaBroker#start(KafkaOptions)}, or if Docker was
   *     asked for and does not answer
   */
  public KafkaBroker startKafka(KafkaOptions options) {
    return start(
        options.directory() != null,
        () -> ContainerKafka.started(options),
        () -> KafkaBroker.start(options));
  }

  private <T> T start(boolean kept, Supplier<T> container, Supplier<T> child) {
    if (kept || this == EMBEDDED || (this == AUTOMATIC && !Docker.isReady())) {
      return child.get();
    }
    if (this == DOCKER) {
      Docker.requireAnswer();
      return container.get();
    }
    try {
      return container.get();
    } catch (InfrastructureException e) {
      LOG.warn("Docker answers, but {} A child process is started instead.", e.getMessage());
      return child.get();
    }
  }

  static TestInfrastructure parse(@Nullable String value) {
    if (value == null || value.isBlank()) {
      return AUTOMATIC;
    }
    return switch (value.strip().toLowerCase(Locale.ROOT)) {
      case "embedded" -> EMBEDDED;
      case "docker" -> DOCKER;
      case "automatic" -> AUTOMATIC;
      default ->
          throw new InfrastructureException(
              "%s=%s is unknown. Set it to embedded, docker or automatic, or leave it out."
                  .formatted(VARIABLE, value));
    };
  }
}

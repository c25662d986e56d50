package dev.onceward.embedded;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;

/** What can be expected of Docker; asked once per JVM. */
final class Docker {
  /** A hung engine must not hold up the tests. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private static @Nullable Boolean ready;

  private Docker() {}

  /**
   * Whether an engine answers the docker command and has all images that we and Testcontainers
   * need. Testcontainers itself would spend minutes on an image that it cannot pull.
   */
  static synchronized boolean isReady() {
    Boolean known = ready;
    if (known == null) {
      known =
          OwnSession.findProgram("docker") != null
              && asks("image", "inspect", ContainerPostgres.IMAGE, ContainerKafka.IMAGE).ok()
              && (isCleanerDisabled()
                  || !asks("images", "-q", "testcontainers/ryuk").output().isEmpty());
      ready = known;
    }
    return known;
  }

  /**
   * For when Docker is asked for by name.
   *
   * @throws InfrastructureException if no engine answers
   */
  static void requireAnswer() {
    if (!DockerClientFactory.instance().isDockerAvailable()) {
      throw new InfrastructureException(
          "%s=docker, but no Docker engine answers Testcontainers. Start one (see DOCKER_HOST), or set it to embedded."
              .formatted(TestInfrastructure.VARIABLE));
    }
  }

  private static boolean isCleanerDisabled() {
    return "true".equalsIgnoreCase(System.getenv("TESTCONTAINERS_RYUK_DISABLED"));
  }

  private static ProgramResult asks(String... arguments) {
    List<String> command = new ArrayList<>(List.of("docker"));
    command.addAll(List.of(arguments));
    return ProgramResult.run(command, LIMIT);
  }
}

package dev.onceward.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;

/** Whether a Docker engine answers; asked once per JVM. */
final class Docker {
  private static @Nullable Boolean answers;

  private Docker() {}

  static synchronized boolean answers() {
    Boolean known = answers;
    if (known == null) {
      // Testcontainers takes seconds and logs an error where there is nothing at all.
      known = mayBeThere() && DockerClientFactory.instance().isDockerAvailable();
      answers = known;
    }
    return known;
  }

  static void requireAnswer() {
    if (!answers()) {
      throw new InfrastructureException(
          "%s=docker, but no Docker engine answers. Start one (see DOCKER_HOST), or set it to embedded."
              .formatted(TestInfrastructure.VARIABLE));
    }
  }

  private static boolean mayBeThere() {
    Path home = Path.of(System.getProperty("user.home"));
    String runtime = System.getenv("XDG_RUNTIME_DIR");
    return System.getenv("DOCKER_HOST") != null
        || Stream.of(
                Path.of("/var/run/docker.sock"),
                home.resolve(".docker/run/docker.sock"),
                home.resolve(".docker/desktop/docker.sock"),
                home.resolve(".testcontainers.properties"),
                Path.of(runtime == null ? "/run" : runtime, "docker.sock"))
            .anyMatch(Files::exists);
  }
}

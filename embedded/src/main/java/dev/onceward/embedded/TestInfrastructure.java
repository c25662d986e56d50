package dev.onceward.embedded;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the tests' servers run on: the value of {@code ONCEWARD_TEST_INFRA}. */
public enum TestInfrastructure {
  /** Child processes of this JVM. */
  EMBEDDED,
  /** Containers, by Testcontainers. Failure: the start says so if Docker does not answer. */
  DOCKER,
  /** Containers where Docker answers, else child processes; the default. */
  AUTOMATIC;

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

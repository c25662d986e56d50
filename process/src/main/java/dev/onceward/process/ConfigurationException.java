package dev.onceward.process;

import java.util.List;
import java.util.stream.Collectors;

/** The configuration cannot be used; it carries every problem found, not only the first. */
public final class ConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * One thing wrong with the configuration. Never holds the value of a secret.
   *
   * @param key the setting or the file it concerns
   * @param message what is wrong, with the value where it may be shown
   * @param remedy what to do about it
   */
  public record Problem(String key, String message, String remedy) {
    @Override
    public String toString() {
      return key + " " + message + ". " + remedy + ".";
    }
  }

  private final transient List<Problem> problems;

  /**
   * @param problems at least one
   */
  public ConfigurationException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  public List<Problem> problems() {
    return problems;
  }
}

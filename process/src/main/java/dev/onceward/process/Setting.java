package dev.onceward.process;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The description of one setting, as recorded by the getter that read it. Immutable.
 *
 * @param key its name, such as {@code onceward.api.port}
 * @param kind what its value must be, such as {@code whole number from 1 to 65535}
 * @param defaultValue the value that holds when nothing is set; null when there is none
 * @param unit the unit of the number; null for a kind without one
 * @param required whether the process refuses to start without it
 * @param secret whether its value must not be shown
 * @param description what it does, in one sentence
 */
public record Setting(
    String key,
    String kind,
    @Nullable String defaultValue,
    @Nullable String unit,
    boolean required,
    boolean secret,
    String description) {

  /** The name of the environment variable that sets it. */
  public String environmentName() {
    return environmentName(key);
  }

  static String environmentName(String key) {
    return key.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
  }
}

package dev.onceward.process;

import dev.onceward.process.ConfigurationException.Problem;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where values come from. Immutable. System properties win over the environment, the environment
 * over the file. Values are taken as they stand: no expressions, no profiles.
 */
final class SettingSources {
  static final String PREFIX = "onceward.";
  static final String ENVIRONMENT_PREFIX = "ONCEWARD_";

  private static final int FILE = 100;
  private static final int ENVIRONMENT = 300;
  private static final int SYSTEM = 400;

  /**
   * A value and who said it.
   *
   * @param text never empty
   * @param origin such as {@code the environment variable ONCEWARD_API_PORT}
   */
  record Found(String text, String origin) {}

  private final SmallRyeConfig config;
  private final PropertiesConfigSource file;
  private final String fileName;
  private final Map<String, String> environment;
  private final Map<String, String> system;

  /**
   * @throws ConfigurationException when the file is missing, unreadable or not a properties file
   */
  SettingSources(
      Map<String, String> system, Map<String, String> environment, @Nullable Path configFile) {
    this.system = withPrefix(system, PREFIX);
    this.environment = withPrefix(environment, ENVIRONMENT_PREFIX);
    this.file = read(configFile);
    this.fileName = configFile == null ? "no file" : configFile.toString();
    this.config =
        new SmallRyeConfigBuilder()
            .withSources(
                file,
                new EnvConfigSource(this.environment, ENVIRONMENT),
                new PropertiesConfigSource(this.system, "system properties", SYSTEM))
            .build();
  }

  /** The value of a key; null when no source sets it or sets it to the empty text. */
  @Nullable Found find(String key) {
    ConfigValue value = config.getConfigValue(key);
    String text = value.getValue();
    if (text == null || text.isEmpty()) {
      return null;
    }
    return new Found(
        text,
        switch (value.getConfigSourceOrdinal()) {
          case ENVIRONMENT -> "the environment variable " + Setting.environmentName(key);
          case SYSTEM -> "the system property " + key;
          default -> fileName + " line " + value.getLineNumber();
        });
  }

  /**
   * Everything below a prefix, without it. An environment name cannot tell a dot from a dash, so
   * each underscore behind the prefix is read as a dot.
   */
  Map<String, String> below(String prefix) {
    Map<String, String> found = new TreeMap<>();
    putBelow(prefix, file.getProperties(), found);
    String environmentPrefix = Setting.environmentName(prefix);
    environment.forEach(
        (name, value) -> {
          if (name.startsWith(environmentPrefix) && name.length() > environmentPrefix.length()) {
            String rest = name.substring(environmentPrefix.length());
            found.put(rest.toLowerCase(Locale.ROOT).replace('_', '.'), value);
          }
        });
    putBelow(prefix, system, found);
    found.values().removeIf(String::isEmpty);
    return found;
  }

  boolean inFile(String key) {
    return file.getPropertyNames().contains(key);
  }

  /** Every name that is set, in the spelling of its source, with its source. */
  Map<String, String> names() {
    Map<String, String> names = new TreeMap<>();
    file.getPropertyNames().forEach(key -> names.put(key, fileName));
    system.keySet().forEach(key -> names.put(key, "the system properties"));
    environment.keySet().forEach(name -> names.put(name, "the environment"));
    return names;
  }

  private static void putBelow(String prefix, Map<String, String> from, Map<String, String> to) {
    from.forEach(
        (key, value) -> {
          if (key.startsWith(prefix) && key.length() > prefix.length()) {
            to.put(key.substring(prefix.length()), value);
          }
        });
  }

  private static Map<String, String> withPrefix(Map<String, String> all, String prefix) {
    Map<String, String> ours = new HashMap<>(all);
    ours.keySet().removeIf(name -> !name.startsWith(prefix));
    return Map.copyOf(ours);
  }

  private static PropertiesConfigSource read(@Nullable Path path) {
    if (path == null) {
      return new PropertiesConfigSource(Map.of(), "no file", FILE);
    }
    if (!Files.isRegularFile(path)) {
      throw unreadable(path, Files.exists(path) ? "is not a regular file" : "does not exist");
    }
    try {
      return new PropertiesConfigSource(path.toUri().toURL(), FILE);
    } catch (IOException failure) {
      throw unreadable(path, "cannot be read (" + failure.getClass().getSimpleName() + ")");
    } catch (IllegalArgumentException failure) {
      throw unreadable(path, "is not a properties file (a malformed \\u escape)");
    }
  }

  private static ConfigurationException unreadable(Path path, String message) {
    return new ConfigurationException(
        List.of(
            new Problem(
                "the configuration file " + path,
                message,
                "Name a readable properties file with --config or ONCEWARD_CONFIG")));
  }
}

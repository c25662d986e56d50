package dev.onceward.process;

import dev.onceward.process.ConfigurationException.Problem;
import dev.onceward.process.SettingSources.Found;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one process. Confined to the thread that starts the process.
 *
 * <p>Keys are {@code onceward.section.name} in kebab-case. A value comes from the system property
 * of that name, else from the environment ({@code ONCEWARD_SECTION_NAME}), else from the properties
 * file; an empty value means "not set". Space around a value does not count, except in a secret.
 *
 * <p>A getter never throws for bad input: it records the problem and returns a placeholder (the
 * default, or an empty value). Read everything into local variables, call {@link #verify}, which
 * throws all problems together, and only then build the configuration record:
 *
 * <pre>{@code
 * static ApiConfig from(Settings settings) {
 *   int port = settings.integer("onceward.api.port", 8080, 0, 65_535, "port", "Where to listen.");
 *   Secret password = settings.secret("onceward.database.password", "Of the role.");
 *   settings.verify("onceward.api");
 *   return new ApiConfig(port, password);
 * }
 * }</pre>
 *
 * <p>Each getter also records what it read: {@link #describe} is the reference of the process.
 */
public final class Settings {
  /** Names that are needed before the file can be read. */
  private static final List<String> RESERVED =
      List.of("onceward.config", "onceward.log.format", "onceward.log.level");

  private final SettingSources sources;
  private final Map<String, Setting> settings = new LinkedHashMap<>();
  private final Map<String, Problem> problems = new LinkedHashMap<>();
  private final List<String> passthroughs = new ArrayList<>();

  private Settings(SettingSources sources) {
    this.sources = sources;
  }

  /**
   * The settings of this JVM: system properties, environment, file.
   *
   * @param configFile a properties file in UTF-8; null when there is none
   * @throws ConfigurationException when the file is missing or unreadable
   */
  public static Settings load(@Nullable Path configFile) {
    Map<String, String> system = new TreeMap<>();
    for (String name : System.getProperties().stringPropertyNames()) {
      system.put(name, System.getProperty(name, ""));
    }
    return of(system, System.getenv(), configFile);
  }

  /** Settings from these properties alone, for tests and for building a process by hand. */
  public static Settings of(Map<String, String> properties) {
    return of(properties, Map.of(), null);
  }

  /**
   * Settings from exactly these sources, the first wins.
   *
   * @throws ConfigurationException when the file is missing or unreadable
   */
  public static Settings of(
      Map<String, String> systemProperties,
      Map<String, String> environment,
      @Nullable Path configFile) {
    return new Settings(new SettingSources(systemProperties, environment, configFile));
  }

  /** A text that must be set. */
  public String text(String key, String description) {
    record(new Setting(key, "text", null, null, true, false, description));
    Found found = required(key);
    return found == null ? "" : found.text().strip();
  }

  /** A text with a default. */
  public String text(String key, String defaultValue, String description) {
    record(new Setting(key, "text", defaultValue, null, false, false, description));
    Found found = sources.find(key);
    return found == null ? defaultValue : found.text().strip();
  }

  /** A text that may be absent: then null. */
  public @Nullable String optionalText(String key, String description) {
    record(new Setting(key, "text", null, null, false, false, description));
    Found found = sources.find(key);
    return found == null ? null : found.text().strip();
  }

  /**
   * A secret that must be set, either by its key or, as the content of a file (without its last
   * line break), by the key with {@code -file} behind it.
   */
  public Secret secret(String key, String description) {
    Secret found = readSecret(key, true, description);
    if (found == null && !problems.containsKey(key)) {
      problem(
          key,
          "is required but not set",
          "Set " + Setting.environmentName(key) + " or " + Setting.environmentName(key) + "_FILE");
    }
    return found == null ? new Secret("") : found;
  }

  /** A secret like {@link #secret} that may be absent: then null. */
  public @Nullable Secret optionalSecret(String key, String description) {
    return readSecret(key, false, description);
  }

  /** A whole number between two bounds, both inclusive. The unit is for the reader. */
  public int integer(
      String key, int defaultValue, int min, int max, String unit, String description) {
    return (int) longInteger(key, defaultValue, min, max, unit, description);
  }

  /** A whole number between two bounds, both inclusive. The unit is for the reader. */
  public long longInteger(
      String key, long defaultValue, long min, long max, String unit, String description) {
    String kind = "whole number from " + min + " to " + max;
    return parsed(
        new Setting(key, kind, Long.toString(defaultValue), unit, false, false, description),
        defaultValue,
        text -> {
          try {
            long value = Long.parseLong(text);
            return value < min || value > max ? null : value;
          } catch (NumberFormatException notNumber) {
            return null;
          }
        });
  }

  /** A span of time between two bounds, both inclusive: {@code 10s}, {@code 250ms}, ISO-8601. */
  public Duration duration(
      String key, Duration defaultValue, Duration min, Duration max, String description) {
    String kind = "duration from " + DurationText.format(min) + " to " + DurationText.format(max);
    return parsed(
        new Setting(key, kind, DurationText.format(defaultValue), null, false, false, description),
        defaultValue,
        text -> {
          Duration value = DurationText.parse(text);
          return value == null || value.compareTo(min) < 0 || value.compareTo(max) > 0
              ? null
              : value;
        });
  }

  /** Exactly {@code true} or {@code false}. */
  public boolean bool(String key, boolean defaultValue, String description) {
    return parsed(
        new Setting(
            key, "true or false", Boolean.toString(defaultValue), null, false, false, description),
        defaultValue,
        text ->
            switch (text) {
              case "true" -> Boolean.TRUE;
              case "false" -> Boolean.FALSE;
              default -> null;
            });
  }

  /**
   * One of the constants of the default's enum, written in any case, with {@code _} or {@code -}.
   */
  public <E extends Enum<E>> E enumeration(String key, E defaultValue, String description) {
    E[] constants = defaultValue.getDeclaringClass().getEnumConstants();
    List<String> names = Arrays.stream(constants).map(Settings::written).toList();
    return parsed(
        new Setting(
            key,
            "one of " + String.join(", ", names),
            written(defaultValue),
            null,
            false,
            false,
            description),
        defaultValue,
        text -> {
          int index = names.indexOf(text.toLowerCase(Locale.ROOT).replace('-', '_'));
          return index < 0 ? null : constants[index];
        });
  }

  /** An absolute {@code http} or {@code https} address with a host that must be set. */
  public URI uri(String key, String description) {
    record(new Setting(key, HttpAddress.KIND, null, null, true, false, description));
    Found found = required(key);
    URI value = found == null ? null : HttpAddress.parse(found.text().strip());
    if (found != null && value == null) {
      rejectValue(key, HttpAddress.masked(found.text()), HttpAddress.KIND, found.origin());
    }
    return value == null ? HttpAddress.PLACEHOLDER : value;
  }

  /** An absolute {@code http} or {@code https} address with a host. */
  public URI uri(String key, URI defaultValue, String description) {
    String written = defaultValue.toString();
    record(new Setting(key, HttpAddress.KIND, written, null, false, false, description));
    return sources.find(key) == null ? defaultValue : uri(key, description);
  }

  /**
   * Everything below a prefix (with its last dot), without the prefix, for a client library that
   * judges it. {@code ONCEWARD_KAFKA_BOOTSTRAP_SERVERS} below {@code onceward.kafka.} is {@code
   * bootstrap.servers}.
   */
  public Map<String, String> passthrough(String prefix, String description) {
    record(new Setting(prefix + "*", "passed on", null, null, false, true, description));
    passthroughs.add(prefix);
    return sources.below(prefix);
  }

  /**
   * A text as what it stands for.
   *
   * @param text what was read for {@code key}; shown if it is refused, so no secret
   * @param make refuses it by an {@link IllegalArgumentException} that says what is legal
   * @return what was made, or {@code placeholder} and a problem
   */
  public <T> T made(String key, String text, Function<String, T> make, T placeholder) {
    try {
      return make.apply(text);
    } catch (IllegalArgumentException e) {
      problem(key, "is \"" + text + "\"", String.valueOf(e.getMessage()));
      return placeholder;
    }
  }

  /** Adds a problem that only the process can see, such as two values that exclude each other. */
  public void problem(String key, String message, String remedy) {
    problems.putIfAbsent(key, new Problem(key, message, remedy));
  }

  /** Whether a key has a problem, so that what was read for it is a placeholder. */
  public boolean hasProblem(String key) {
    return problems.containsKey(key);
  }

  /**
   * Ends the reading.
   *
   * @param ownedSections prefixes (without the last dot) below which no other process reads: every
   *     unread name there is refused. Elsewhere one is refused only if it is one edit away from a
   *     name that was read, since processes share files and environments.
   * @throws ConfigurationException with all problems, if there is one
   */
  public void verify(String... ownedSections) {
    new UnknownNames(settings.keySet(), RESERVED, passthroughs, List.of(ownedSections))
        .find(sources.names())
        .forEach(unknown -> problems.putIfAbsent(unknown.key(), unknown));
    for (String key : RESERVED) {
      if (sources.inFile(key)) {
        problem(key, "cannot be set in the file", "Set " + Setting.environmentName(key));
      }
    }
    if (!problems.isEmpty()) {
      throw new ConfigurationException(List.copyOf(problems.values()));
    }
  }

  /** All that was read so far, in the order of reading. */
  public List<Setting> describe() {
    return List.copyOf(settings.values());
  }

  private <T> T parsed(Setting setting, T defaultValue, Function<String, @Nullable T> parser) {
    record(setting);
    Found found = sources.find(setting.key());
    if (found == null) {
      return defaultValue;
    }
    T value = parser.apply(found.text().strip());
    if (value == null) {
      rejectValue(setting.key(), found.text(), setting.kind(), found.origin());
      return defaultValue;
    }
    return value;
  }

  private @Nullable Secret readSecret(String key, boolean required, String description) {
    String fileKey = key + "-file";
    record(new Setting(key, "secret", null, null, required, true, description));
    record(
        new Setting(fileKey, "file", null, null, false, false, "A file that holds " + key + "."));
    Found found = sources.find(key);
    Found file = sources.find(fileKey);
    if (found != null && file != null) {
      problem(key, "is set, and " + fileKey + " as well", "Keep one of the two");
    }
    if (file == null) {
      return found == null ? null : new Secret(found.text());
    }
    try {
      String content = Files.readString(Path.of(file.text().strip())).replaceFirst("\\R\\z", "");
      if (!content.isEmpty()) {
        return new Secret(content);
      }
      problem(key, "comes from the empty file " + file.text(), "Write the secret into it");
    } catch (IOException | IllegalArgumentException unreadable) {
      problem(
          key,
          "cannot be read from " + file.text() + " (" + unreadable.getClass().getSimpleName() + ")",
          "Name a readable file in " + fileKey + " (it was set by " + file.origin() + ")");
    }
    return null;
  }

  private @Nullable Found required(String key) {
    Found found = sources.find(key);
    if (found == null) {
      problem(
          key,
          "is required but not set",
          "Set " + Setting.environmentName(key) + " or " + key + " in the configuration file");
    }
    return found;
  }

  private void rejectValue(String key, String value, String kind, String origin) {
    problem(key, "is \"" + value + "\"; expected: " + kind, "Change it in " + origin);
  }

  private void record(Setting setting) {
    settings.putIfAbsent(setting.key(), setting);
  }

  private static String written(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}

package dev.onceward.process;

import java.time.Duration;
import java.util.List;

/** The settings that every process reads, whatever it does. */
final class CommonSettings {
  private static final Duration SHUTDOWN_GRACE = Duration.ofSeconds(25);
  private static final Duration SHUTDOWN_GRACE_MAX = Duration.ofMinutes(10);

  /** The names of the appenders in {@code logback.xml}. */
  private static final List<String> LOG_FORMATS = List.of("json", "text");

  /** The levels that logback knows. */
  enum LogLevel {
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE
  }

  private CommonSettings() {}

  static Duration shutdownGrace(Settings settings) {
    return settings.duration(
        "onceward.shutdown-grace",
        SHUTDOWN_GRACE,
        Duration.ZERO,
        SHUTDOWN_GRACE_MAX,
        "How long a process may take to stop after SIGTERM.");
  }

  /** Checked here, used by {@code logback.xml}, which reads system properties and environment. */
  static void checkLogging(Settings settings) {
    String key = "onceward.log.format";
    String format =
        settings.text(key, "json", "How log lines look: json or text; not to be set in the file.");
    if (!LOG_FORMATS.contains(format)) {
      settings.problem(
          key, "is \"" + format + "\"", "Set " + Setting.environmentName(key) + " to json or text");
    }
    settings.enumeration(
        "onceward.log.level", LogLevel.INFO, "Which log lines appear; not to be set in the file.");
  }
}

package dev.onceward.process;

import java.util.Map;
import java.util.function.Function;

/** What {@code --help} prints: the options and every setting with its default. */
final class HelpText {
  private final String name;
  private final String description;

  HelpText(String name, String description) {
    this.name = name;
    this.description = description;
  }

  String render(Function<Settings, ?> configuration) {
    StringBuilder text = new StringBuilder();
    text.append("Usage: ").append(name).append(" [--config FILE] [--help] [--version]\n");
    text.append(description).append("\n\n");
    text.append("Each setting is read from the system property, else the environment variable,\n");
    text.append("else the properties file FILE (or the one named by ONCEWARD_CONFIG).\n");
    for (Setting setting : SettingsReference.of(configuration, Map.of())) {
      text.append('\n').append(setting.key());
      if (!setting.key().endsWith("*")) {
        text.append("  (").append(setting.environmentName()).append(')');
      }
      text.append("\n    ").append(setting.description()).append("\n    ").append(setting.kind());
      if (setting.unit() != null) {
        text.append(" (").append(setting.unit()).append(')');
      }
      if (setting.required()) {
        text.append(", required");
      } else if (setting.defaultValue() != null) {
        text.append(", default ").append(setting.defaultValue());
      }
      text.append('\n');
    }
    text.append("\nExit codes: 0 ok, 1 failure, 2 usage, 3 configuration, ");
    return text.append("4 a needed service is missing or not prepared.\n").toString();
  }
}

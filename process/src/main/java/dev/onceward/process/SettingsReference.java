package dev.onceward.process;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Every setting of a process, as its own code reads it: for {@code --help} and the documents. */
public final class SettingsReference {
  private SettingsReference() {}

  /**
   * Reads a configuration from next to nothing and keeps what was asked for.
   *
   * @param configuration of the process
   * @param given what must be set for further settings to be read, else nothing
   * @return the settings that all processes have, then its own, in the order of reading
   */
  public static List<Setting> of(Function<Settings, ?> configuration, Map<String, String> given) {
    Settings settings = Settings.of(given);
    CommonSettings.shutdownGrace(settings);
    CommonSettings.checkLogging(settings);
    return read(settings, configuration);
  }

  /** The same for a command, which has no settings but its own. */
  public static List<Setting> ofCommand(Function<Settings, ?> configuration) {
    return read(Settings.of(Map.of()), configuration);
  }

  private static List<Setting> read(Settings settings, Function<Settings, ?> configuration) {
    try {
      Object unused = configuration.apply(settings);
    } catch (ConfigurationException required) {
      // Expected: what is required is not set. The getters have recorded what there is.
    }
    return settings.describe();
  }
}

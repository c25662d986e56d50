package dev.onceward.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this build. */
final class Version {
  private Version() {}

  static String current() {
    try (InputStream stream = Version.class.getResourceAsStream("version.properties")) {
      if (stream == null) {
        return "unknown";
      }
      Properties properties = new Properties();
      properties.load(stream);
      return properties.getProperty("version", "unknown");
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}

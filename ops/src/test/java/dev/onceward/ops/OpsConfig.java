package dev.onceward.ops;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the settings file of a command. */
final class OpsConfig {

  private OpsConfig() {}

  static String write(Path directory, String url, String user, String password) throws IOException {
    Path file = directory.resolve("ops.properties");
    Files.writeString(
        file,
        "onceward.database.url="
            + url
            + "\nonceward.database.user="
            + user
            + "\nonceward.database.password="
            + password
            + "\n");
    return file.toString();
  }
}

package dev.onceward.embedded;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts a command into a session of its own, without a process in between, so that a terminal's
 * Ctrl-C does not reach it.
 */
final class OwnSession {
  private static final List<String> PREFIX = prefix();

  private OwnSession() {}

  static List<String> command(List<String> command) {
    List<String> all = new ArrayList<>(PREFIX);
    all.addAll(command);
    return all;
  }

  private static List<String> prefix() {
    if (findProgram("setsid") != null) {
      return List.of("setsid");
    }
    if (findProgram("perl") != null) { // macOS has no setsid program
      return List.of("perl", "-MPOSIX", "-e", "POSIX::setsid(); exec {$ARGV[0]} @ARGV");
    }
    return List.of();
  }

  static @Nullable Path findProgram(String name) {
    String path = System.getenv("PATH");
    for (String directory : (path == null ? "/usr/bin:/bin" : path).split(File.pathSeparator)) {
      Path program = Path.of(directory, name);
      if (Files.isExecutable(program)) {
        return program;
      }
    }
    return null;
  }
}

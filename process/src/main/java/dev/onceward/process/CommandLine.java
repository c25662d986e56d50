package dev.onceward.process;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command line of a service: {@code [--config FILE] [--help] [--version]}.
 *
 * @param configFile null when the option is absent
 */
record CommandLine(@Nullable Path configFile, boolean help, boolean version) {
  private static final List<String> OPTIONS = List.of("--config", "--help", "--version");

  /**
   * @throws StartupException with {@link ExitCode#USAGE} for anything else on the line
   */
  static CommandLine parse(String... arguments) {
    Path file = null;
    boolean help = false;
    boolean version = false;
    for (int i = 0; i < arguments.length; i++) {
      String argument = arguments[i];
      if (argument.equals("--help")) {
        help = true;
      } else if (argument.equals("--version")) {
        version = true;
      } else if (argument.startsWith("--config=")) {
        file = path(argument.substring("--config=".length()));
      } else if (argument.equals("--config")) {
        i++;
        file = path(i < arguments.length ? arguments[i] : "");
      } else {
        throw unknown(argument);
      }
    }
    return new CommandLine(file, help, version);
  }

  private static Path path(String text) {
    if (text.isEmpty() || text.startsWith("--")) {
      throw usage("--config needs a file", "Write --config FILE");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException malformed) {
      throw usage("--config \"" + text + "\" is not a file name", "Write --config FILE");
    }
  }

  private static StartupException unknown(String argument) {
    if (!argument.startsWith("-")) {
      return usage("unexpected argument \"" + argument + "\"", "Try --help");
    }
    String meant = Spelling.nearest(argument, OPTIONS, 2);
    return usage(
        "unknown option \"" + argument + "\"",
        meant == null ? "Try --help" : "Did you mean " + meant);
  }

  private static StartupException usage(String message, String remedy) {
    return new StartupException(ExitCode.USAGE, message, remedy, null);
  }
}

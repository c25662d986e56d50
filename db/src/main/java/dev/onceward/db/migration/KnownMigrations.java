package dev.onceward.db.migration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The migrations that this version brings. Stateless. */
public final class KnownMigrations {

  private static final Pattern NAME = Pattern.compile("(?:.*/)?V(\\d+)__[^/]*\\.sql");

  private KnownMigrations() {}

  /** The number of the newest. */
  public static int newest() {
    URL script = Objects.requireNonNull(KnownMigrations.class.getResource("bootstrap.sql"));
    try {
      URLConnection connection = script.openConnection();
      if (connection instanceof JarURLConnection inJar) {
        inJar.setUseCaches(false);
        try (JarFile jar = inJar.getJarFile();
            Stream<String> names = jar.stream().map(entry -> entry.getName())) {
          return newestOf(names);
        }
      }
      Path folder = Path.of(script.toURI()).resolveSibling("");
      try (Stream<Path> files = Files.list(folder)) {
        return newestOf(files.map(file -> String.valueOf(file.getFileName())));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the migrations cannot be read", e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException("no address: " + script, e);
    }
  }

  private static int newestOf(Stream<String> names) {
    return names
        .map(NAME::matcher)
        .filter(Matcher::matches)
        .mapToInt(name -> Integer.parseInt(name.group(1)))
        .max()
        .orElseThrow();
  }
}

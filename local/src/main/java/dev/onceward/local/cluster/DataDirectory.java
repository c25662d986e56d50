package dev.onceward.local.cluster;

import dev.onceward.process.ExitCode;
import dev.onceward.process.StartupException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory of one cluster, locked while the cluster runs. Confined to its cluster.
 *
 * <p>Laid out as {@code cluster.properties}, {@code config/}, {@code logs/}, {@code postgres/},
 * {@code kafka/}. Others may pass through it (PostgreSQL may run as a user of its own) but see and
 * read nothing of ours.
 */
final class DataDirectory implements AutoCloseable {

  private static final String STATE = "cluster.properties";
  private static final String LOCK = "lock";

  private final Path path;
  private final boolean temporary;
  private final FileChannel lock;
  private boolean kept;

  private DataDirectory(Path path, boolean temporary, FileChannel lock) {
    this.path = path;
    this.temporary = temporary;
    this.lock = lock;
  }

  /**
   * Opens and locks a directory.
   *
   * @param wanted null for a temporary one
   * @throws StartupException when it is in use, cannot be written, or holds something else
   */
  static DataDirectory open(@Nullable Path wanted) {
    try {
      if (wanted == null) {
        Path path = Files.createTempDirectory("onceward-").toAbsolutePath();
        return new DataDirectory(path, true, lock(path));
      }
      Path path = wanted.toAbsolutePath().normalize();
      Files.createDirectories(path);
      refuseForeign(path);
      FileChannel lock = lock(path);
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
      for (String part : List.of("config", "logs", "kafka")) {
        Files.createDirectories(path.resolve(part));
        Files.setPosixFilePermissions(
            path.resolve(part), PosixFilePermissions.fromString("rwx------"));
      }
      return new DataDirectory(path, false, lock);
    } catch (IOException failure) {
      throw StartupException.unavailable(
          "the data directory "
              + (wanted == null ? "in " + System.getProperty("java.io.tmpdir") : wanted)
              + " cannot be made or written ("
              + failure
              + ")",
          "Name a directory that you may write with --data",
          failure);
    }
  }

  Path path() {
    return path;
  }

  boolean isTemporary() {
    return temporary;
  }

  Path state() {
    return path.resolve(STATE);
  }

  Path config(String service) {
    return path.resolve("config").resolve(service + ".properties");
  }

  Path log(String service) {
    return path.resolve("logs").resolve(service + ".log");
  }

  /** Null for a temporary directory: the server then keeps its data apart and deletes it itself. */
  @Nullable Path server(String name) {
    return temporary ? null : path.resolve(name);
  }

  /** Leaves a temporary directory behind, for its logs. */
  void keep() {
    kept = true;
  }

  /** Gives the directory free; deletes it when it is temporary. */
  @Override
  public void close() {
    try {
      lock.close();
      if (temporary && !kept) {
        delete();
      }
    } catch (IOException | UncheckedIOException failure) {
      throw new IllegalStateException("cannot clean up " + path + "; delete it by hand", failure);
    }
  }

  private void delete() throws IOException {
    try (Stream<Path> all = Files.walk(path)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    }
  }

  private static void refuseForeign(Path path) throws IOException {
    try (Stream<Path> entries = Files.list(path)) {
      List<String> names = entries.map(entry -> entry.getFileName().toString()).toList();
      boolean ours = names.isEmpty() || names.contains(STATE) || names.equals(List.of(LOCK));
      if (!ours) {
        throw new StartupException(
            ExitCode.USAGE,
            path + " is not empty and was not made by onceward (it has no " + STATE + ")",
            "Name an empty or a new directory with --data",
            null);
      }
    }
  }

  private static FileChannel lock(Path path) throws IOException {
    FileChannel channel =
        FileChannel.open(
            path.resolve(LOCK),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    boolean locked = false;
    try {
      locked = channel.tryLock() != null;
    } catch (OverlappingFileLockException heldByThisJvm) {
      locked = false;
    } finally {
      if (!locked) {
        channel.close();
      }
    }
    if (!locked) {
      throw StartupException.unavailable(
          "the data directory "
              + path
              + " is in use by process "
              + Files.readString(path.resolve(LOCK)),
          "Stop that one first, or name another directory with --data",
          null);
    }
    channel.truncate(0);
    byte[] pid = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8);
    channel.write(ByteBuffer.wrap(pid));
    return channel;
  }
}

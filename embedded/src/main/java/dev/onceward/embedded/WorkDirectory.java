package dev.onceward.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory of one server: kept (and locked, so that one JVM uses it at a time) or temporary
 * (and deleted at the end). Confined to its server, which guards it.
 */
final class WorkDirectory implements AutoCloseable {
  private final Path path;
  private final @Nullable FileChannel lock;

  private WorkDirectory(Path path, @Nullable FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /** Null means temporary. */
  static WorkDirectory open(@Nullable Path directory, String server) {
    return directory == null ? temporary(server) : kept(directory.toAbsolutePath(), server);
  }

  private static WorkDirectory temporary(String server) {
    try {
      Path path = Files.createTempDirectory("onceward-" + server + "-").toAbsolutePath();
      OrphanWatch.deleteAtEnd(path);
      return new WorkDirectory(path, null);
    } catch (IOException e) {
      throw new InfrastructureException(
          "Cannot make a temporary directory for %s in %s. Free some space there or name another with -Djava.io.tmpdir."
              .formatted(server, System.getProperty("java.io.tmpdir")),
          e);
    }
  }

  private static WorkDirectory kept(Path path, String server) {
    FileChannel channel;
    try {
      Files.createDirectories(path);
      channel =
          FileChannel.open(
              path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new InfrastructureException(
          "The directory %s for %s cannot be made or written. Name a directory that you may write."
              .formatted(path, server),
          e);
    }
    if (!tryLock(channel)) {
      closeQuietly(channel);
      throw inUse(path, server);
    }
    return new WorkDirectory(path, channel);
  }

  static InfrastructureException inUse(Path path, String server) {
    return new InfrastructureException(
        "The directory %s is in use by another %s. Stop that one first, or name another directory."
            .formatted(path, server));
  }

  private static boolean tryLock(FileChannel channel) {
    try {
      @Nullable FileLock held = channel.tryLock();
      return held != null;
    } catch (OverlappingFileLockException heldByThisJvm) {
      return false;
    } catch (IOException e) {
      throw new InfrastructureException("The file system cannot lock files: " + e.getMessage(), e);
    }
  }

  Path path() {
    return path;
  }

  boolean isTemporary() {
    return lock == null;
  }

  Path resolve(String name) {
    return path.resolve(name);
  }

  /** Gives a kept directory free, or deletes a temporary one. */
  @Override
  public void close() {
    if (lock != null) {
      closeQuietly(lock);
      return;
    }
    delete(path);
    OrphanWatch.keep(path);
  }

  /** Deletes a directory and all in it; what is missing already is fine. */
  static void delete(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (NoSuchFileException endedMeanwhile) {
      delete(directory);
    } catch (IOException | java.io.UncheckedIOException e) {
      throw new InfrastructureException(
          "The directory %s cannot be deleted; delete it by hand.".formatted(directory), e);
    }
  }

  private static void closeQuietly(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      throw new InfrastructureException("A lock file cannot be closed: " + e.getMessage(), e);
    }
  }
}

package dev.onceward.embedded;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/**
 * A copy of a running server's files, taken between {@code pg_backup_start} and {@code
 * pg_backup_stop} with the log of that time (PostgreSQL manual, section "Making a Base Backup Using
 * the Low Level API"). It holds what was committed before it was taken, and no replication slot.
 * Any number of servers can be started from it. Immutable; {@link #close} deletes it.
 */
public final class BaseCopy implements AutoCloseable {
  /** Their content belongs to the running server; the directories themselves must exist. */
  private static final Set<String> WITHOUT_CONTENT =
      Set.of(
          "pg_replslot",
          "pg_dynshmem",
          "pg_notify",
          "pg_serial",
          "pg_snapshots",
          "pg_stat_tmp",
          "pg_subtrans",
          "pgsql_tmp");

  private static final Set<String> LEFT_OUT =
      Set.of("postmaster.pid", "postmaster.opts", "pg_internal.init");

  private static final String LOG = "pg_wal";

  private final WorkDirectory work;
  private final String superuserPassword;

  private BaseCopy(WorkDirectory work, String superuserPassword) {
    this.work = work;
    this.superuserPassword = superuserPassword;
  }

  /** Takes a copy of a server, which goes on meanwhile. */
  static BaseCopy of(PostgresServer server) throws SQLException {
    WorkDirectory work = WorkDirectory.open(null, "base-copy");
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement()) {
      Path source = Path.of(text(statement, "SHOW data_directory"));
      if (!Files.isDirectory(source)) {
        throw new InfrastructureException(
            "The data directory %s of %s is not on this machine, so it cannot be copied. Start the server as a child process."
                .formatted(source, server));
      }
      Path target = work.resolve("data");
      // Keeps the log from its start until the copy has it.
      statement.execute(
          "SELECT pg_create_physical_replication_slot('base_copy_' || pg_backend_pid(), true, true)");
      statement.execute("SELECT pg_backup_start('base copy', true)");
      copy(source, target, Set.of(LOG));
      try (ResultSet label =
          statement.executeQuery("SELECT labelfile, spcmapfile FROM pg_backup_stop(false)")) {
        label.next();
        Files.writeString(target.resolve("backup_label"), label.getString(1));
        if (!label.getString(2).isBlank()) {
          throw new InfrastructureException(
              "The server has tablespaces, which a base copy does not hold. Drop them.");
        }
      }
      copy(source.resolve(LOG), target.resolve(LOG), Set.of());
      return new BaseCopy(work, server.superuserPassword());
    } catch (IOException e) {
      work.close();
      throw new InfrastructureException("A base copy of %s cannot be taken.".formatted(server), e);
    } catch (SQLException | RuntimeException e) {
      work.close();
      throw e;
    }
  }

  private static String text(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  /** Fills the data directory of a new server, which must not exist yet. */
  void copyTo(Path target) throws IOException {
    copy(work.resolve("data"), target, Set.of());
  }

  /** The password of the superuser of every server that is started from it. */
  String superuserPassword() {
    return superuserPassword;
  }

  /** Files that go while they are copied were of no use. */
  private static void copy(Path source, Path target, Set<String> alsoWithoutContent)
      throws IOException {
    Files.walkFileTree(
        source,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(
                directory,
                target.resolve(source.relativize(directory)),
                StandardCopyOption.COPY_ATTRIBUTES,
                StandardCopyOption.REPLACE_EXISTING);
            String name = directory.getFileName().toString();
            return WITHOUT_CONTENT.contains(name) || alsoWithoutContent.contains(name)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (!LEFT_OUT.contains(file.getFileName().toString())) {
              copyFile(file);
            }
            return FileVisitResult.CONTINUE;
          }

          private void copyFile(Path file) throws IOException {
            try {
              Files.copy(
                  file,
                  target.resolve(source.relativize(file)),
                  StandardCopyOption.COPY_ATTRIBUTES,
                  StandardCopyOption.REPLACE_EXISTING);
            } catch (NoSuchFileException goneMeanwhile) {
              Files.deleteIfExists(target.resolve(source.relativize(file)));
            }
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }
        });
  }

  /** Deletes it; servers that were started from it are not concerned. */
  @Override
  public void close() {
    work.close();
  }
}

package dev.onceward.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;

/**
 * What lies in a server's directory: {@code data} (PostgreSQL's own), {@code postgresql.log}, and
 * the superuser's password, readable by its owner only. Confined to its server, which guards it.
 */
final class PostgresDirectory {
  private static final String SETTINGS = "onceward.conf";

  private final WorkDirectory work;
  private final PostgresBinaries binaries;
  private final ServerUser user;

  PostgresDirectory(WorkDirectory work, PostgresBinaries binaries, ServerUser user) {
    this.work = work;
    this.binaries = binaries;
    this.user = user;
  }

  Path data() {
    return work.resolve("data");
  }

  Path log() {
    return work.resolve("postgresql.log");
  }

  /** Makes the data directory if there is none, and refuses one that these programs cannot open. */
  String prepare(String superuser, boolean durable) {
    try {
      if (Files.exists(data())) {
        requireSameMajorVersion(data());
      } else {
        initialise(superuser, durable);
      }
      return Files.readString(passwordFile()).strip();
    } catch (IOException e) {
      throw new InfrastructureException(
          "The directory %s of PostgreSQL cannot be prepared (%s). It holds data/ and superuser-password; restore what is missing or name another directory."
              .formatted(work.path(), e),
          e);
    }
  }

  /** Makes the data directory from a copy; there must be none yet. */
  String prepare(BaseCopy copy, boolean standby) {
    if (Files.exists(data())) {
      throw new InfrastructureException(
          "The directory %s holds data of PostgreSQL already. Name another directory for a server that is started from a copy."
              .formatted(work.path()));
    }
    Path unfinished = work.resolve("data-unfinished");
    try {
      WorkDirectory.delete(unfinished);
      copy.copyTo(unfinished);
      if (standby) {
        Files.createFile(unfinished.resolve("standby.signal"));
      }
      writePrivate(passwordFile(), copy.superuserPassword());
      user.own(work.path());
      requireSameMajorVersion(unfinished);
      Files.move(unfinished, data(), StandardCopyOption.ATOMIC_MOVE);
      return copy.superuserPassword();
    } catch (IOException e) {
      throw new InfrastructureException(
          "The directory %s cannot be filled from a base copy.".formatted(work.path()), e);
    }
  }

  void writeSettings(Map<String, String> settings, int port) {
    Path file = data().resolve(SETTINGS);
    try {
      Files.writeString(file, PostgresSettings.file(settings, port));
      user.own(file);
    } catch (IOException e) {
      throw new InfrastructureException(
          "The settings of PostgreSQL cannot be written to %s.".formatted(file), e);
    }
  }

  private void requireSameMajorVersion(Path data) throws IOException {
    String made = Files.readString(data.resolve("PG_VERSION")).strip();
    if (!made.equals(Integer.toString(binaries.majorVersion()))) {
      throw new InfrastructureException(
          "The data in %s was made by PostgreSQL %s, but this is PostgreSQL %d. Start with the Maven profile postgres%s, migrate the data with pg_upgrade, or name another directory."
              .formatted(data, made, binaries.majorVersion(), made));
    }
  }

  /** Under another name first: a directory called data is always whole. */
  private void initialise(String superuser, boolean durable) throws IOException {
    Path unfinished = work.resolve("data-unfinished");
    WorkDirectory.delete(unfinished);
    Files.createDirectory(unfinished);
    String password = newPassword();
    Path passwordForInit = work.resolve("password-for-initdb");
    writePrivate(passwordForInit, password);
    user.own(work.path());
    ProgramResult result =
        ProgramResult.run(
            user.command(
                binaries.program("initdb"),
                "--pgdata=" + unfinished,
                "--username=" + superuser,
                "--pwfile=" + passwordForInit,
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--no-locale",
                "--data-checksums",
                durable ? "--no-instructions" : "--no-sync"));
    Files.delete(passwordForInit);
    if (!result.ok()) {
      WorkDirectory.delete(unfinished);
      throw new InfrastructureException(
          "PostgreSQL's initdb failed in %s: %s".formatted(work.path(), result.output()));
    }
    Files.writeString(
        unfinished.resolve("postgresql.conf"),
        "\ninclude = '" + SETTINGS + "'\n",
        StandardOpenOption.APPEND);
    writePrivate(passwordFile(), password);
    Files.move(unfinished, data(), StandardCopyOption.ATOMIC_MOVE);
  }

  private Path passwordFile() {
    return work.resolve("superuser-password");
  }

  private static String newPassword() {
    byte[] random = new byte[18];
    new SecureRandom().nextBytes(random);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }

  private static void writePrivate(Path file, String text) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, text + "\n", StandardCharsets.UTF_8);
  }
}

package dev.onceward.embedded.junit;

import dev.onceward.embedded.PostgresOptions;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.ShutdownMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/** A server of a test's own that speaks TLS alone. Thread-safe. */
public final class SecurePostgres implements AutoCloseable {

  private final PostgresServer server;

  private SecurePostgres(PostgresServer server) {
    this.server = server;
  }

  /** Starts it with the certificate; returns when it takes connections. */
  public static SecurePostgres start(TestCertificates certificates)
      throws IOException, GeneralSecurityException, SQLException {
    PostgresServer server = PostgresServer.start(PostgresOptions.temporary().withoutDurability());
    boolean complete = false;
    try {
      speakTlsAlone(server, certificates);
      server.stop(ShutdownMode.FAST);
      server.start();
      complete = true;
      return new SecurePostgres(server);
    } finally {
      if (!complete) {
        server.close();
      }
    }
  }

  private static void speakTlsAlone(PostgresServer server, TestCertificates certificates)
      throws IOException, GeneralSecurityException, SQLException {
    try (Connection superuser = server.connect("postgres");
        Statement statement = superuser.createStatement()) {
      Path data;
      try (ResultSet row = statement.executeQuery("SHOW data_directory")) {
        row.next();
        data = Path.of(row.getString(1));
      }
      Map<String, String> files =
          Map.of(
              "server.crt", certificates.serverChain(),
              "server.key", certificates.serverKey(),
              // No line for replication: that keyword means copies of the whole server. A stream of
              // one database, which is what the relay opens, goes by the database's own line.
              "pg_hba.conf", "hostssl all all 127.0.0.1/32 scram-sha-256\n");
      for (Map.Entry<String, String> file : files.entrySet()) {
        Path path = Files.writeString(data.resolve(file.getKey()), file.getValue());
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
        Files.setOwner(path, Files.getOwner(data));
      }
      statement.execute("ALTER SYSTEM SET ssl = on");
    }
  }

  /** The server itself. */
  public PostgresServer server() {
    return server;
  }

  /**
   * The JDBC URL of whoever wants to know whom it talks to.
   *
   * @param host {@code localhost} is the name in the certificate, {@code 127.0.0.1} is not
   * @param trusted whose authority is believed
   */
  public String url(String host, String database, TestCertificates trusted)
      throws IOException, GeneralSecurityException {
    return "jdbc:postgresql://%s:%d/%s?sslmode=verify-full&sslrootcert=%s"
        .formatted(host, server.port(), database, trusted.authority());
  }

  @Override
  public void close() {
    server.close();
  }
}

package dev.onceward.embedded.junit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * An authority of a test's own and the certificate that it gave to a server called {@code
 * localhost}, made by the JDK's {@code keytool}; valid for two days. Immutable.
 *
 * <p>The certificate names no address, so that {@code 127.0.0.1} is another server to whoever
 * checks names.
 */
public final class TestCertificates {

  /** Of all key stores. */
  public static final String PASSWORD = "store-password";

  private static final String AUTHORITY = "authority";
  private static final String SERVER = "server";
  private static final String TYPE = "PKCS12";

  private final Path directory;
  private final KeyStore made;

  private TestCertificates(Path directory, KeyStore made) {
    this.directory = directory;
    this.made = made;
  }

  /**
   * Makes them.
   *
   * @param directory an existing one, which they get for themselves
   */
  public static TestCertificates in(Path directory)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path store = directory.resolve("all.p12");
    keytool(store, "-alias", AUTHORITY, "-dname", "CN=an authority", "-ext", "bc:c=ca:true");
    keytool(
        store,
        "-alias",
        SERVER,
        "-dname",
        "CN=localhost",
        "-ext",
        "san=dns:localhost",
        "-signer",
        AUTHORITY);
    KeyStore made = KeyStore.getInstance(TYPE);
    try (InputStream in = Files.newInputStream(store)) {
      made.load(in, PASSWORD.toCharArray());
    }
    return new TestCertificates(directory, made);
  }

  private static void keytool(Path store, String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-validity",
                "2",
                "-storetype",
                TYPE,
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD,
                // Only a second or two of work.
                "-J-XX:TieredStopAtLevel=1"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("keytool failed: " + said);
    }
  }

  /** The server's certificate and its authority's, in PEM. */
  public String serverChain() throws GeneralSecurityException {
    StringBuilder chain = new StringBuilder();
    for (Certificate certificate : made.getCertificateChain(SERVER)) {
      chain.append(pem("CERTIFICATE", certificate.getEncoded()));
    }
    return chain.toString();
  }

  /** The server's private key, in PEM (PKCS #8). */
  public String serverKey() throws GeneralSecurityException {
    return pem("PRIVATE KEY", made.getKey(SERVER, PASSWORD.toCharArray()).getEncoded());
  }

  /** A file with the authority's certificate, in PEM. */
  public Path authority() throws IOException, GeneralSecurityException {
    return Files.writeString(
        directory.resolve("authority.crt"),
        pem("CERTIFICATE", made.getCertificate(AUTHORITY).getEncoded()));
  }

  /** A key store (PKCS #12) with the server's key and nothing else. */
  public Path keyStore() throws IOException, GeneralSecurityException {
    KeyStore server = empty();
    server.setKeyEntry(
        SERVER,
        made.getKey(SERVER, PASSWORD.toCharArray()),
        PASSWORD.toCharArray(),
        made.getCertificateChain(SERVER));
    return written(server, "server.p12");
  }

  /** A trust store (PKCS #12) with the authority. */
  public Path trustStore() throws IOException, GeneralSecurityException {
    KeyStore trusted = empty();
    trusted.setCertificateEntry(AUTHORITY, made.getCertificate(AUTHORITY));
    return written(trusted, "trusted.p12");
  }

  private static KeyStore empty() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(TYPE);
    store.load(null, null);
    return store;
  }

  private Path written(KeyStore store, String name) throws IOException, GeneralSecurityException {
    Path file = directory.resolve(name);
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, PASSWORD.toCharArray());
    }
    return file;
  }

  private static String pem(String what, byte[] content) {
    return "-----BEGIN %s-----%n%s%n-----END %s-----%n"
        .formatted(
            what, Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(content), what);
  }
}

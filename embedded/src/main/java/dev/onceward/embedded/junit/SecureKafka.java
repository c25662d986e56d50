package dev.onceward.embedded.junit;

import dev.onceward.embedded.FreePorts;
import dev.onceward.embedded.KafkaBroker;
import dev.onceward.embedded.KafkaOptions;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;

/**
 * A broker of a test's own with a second listener that speaks TLS alone and lets one user in by
 * SCRAM-SHA-512. Thread-safe.
 */
public final class SecureKafka implements AutoCloseable {

  /** The user's name. */
  public static final String USER = "onceward";

  /** The user's password. */
  public static final String PASSWORD = "kafka-password-marker";

  private final KafkaBroker broker;
  private final int port;

  private SecureKafka(KafkaBroker broker, int port) {
    this.broker = broker;
    this.port = port;
  }

  /** Starts it; returns when the user may log in. */
  public static SecureKafka start(TestCertificates certificates)
      throws IOException, GeneralSecurityException, ExecutionException, InterruptedException {
    int port = FreePorts.next();
    String own = "listener.name.secure.";
    KafkaBroker broker =
        KafkaBroker.start(
            KafkaOptions.temporary()
                .withListener("SECURE", port, "SASL_SSL")
                .withSetting("sasl.enabled.mechanisms", "SCRAM-SHA-512")
                .withSetting(
                    own + "scram-sha-512.sasl.jaas.config",
                    "org.apache.kafka.common.security.scram.ScramLoginModule required;")
                .withSetting(own + "ssl.keystore.type", "PKCS12")
                .withSetting(own + "ssl.keystore.location", certificates.keyStore().toString())
                .withSetting(own + "ssl.keystore.password", TestCertificates.PASSWORD));
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      admin
          .alterUserScramCredentials(
              List.of(
                  new UserScramCredentialUpsertion(
                      USER, new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096), PASSWORD)))
          .all()
          .get();
    }
    return new SecureKafka(broker, port);
  }

  /** The broker, by its plain listener. */
  public KafkaBroker broker() {
    return broker;
  }

  /** What a client needs for the secure listener, by Kafka's names. */
  public Map<String, String> clientSettings(TestCertificates trusted)
      throws IOException, GeneralSecurityException {
    Map<String, String> settings = new HashMap<>();
    settings.put("bootstrap.servers", "localhost:" + port);
    settings.put("security.protocol", "SASL_SSL");
    settings.put("sasl.mechanism", "SCRAM-SHA-512");
    settings.put("sasl.jaas.config", login(PASSWORD));
    settings.put("ssl.truststore.type", "PKCS12");
    settings.put("ssl.truststore.location", trusted.trustStore().toString());
    settings.put("ssl.truststore.password", TestCertificates.PASSWORD);
    return settings;
  }

  /** The client setting {@code sasl.jaas.config} for the user with this password. */
  public static String login(String password) {
    return "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"%s\" password=\"%s\";"
        .formatted(USER, password);
  }

  @Override
  public void close() {
    broker.close();
  }
}

package dev.onceward.local.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.onceward.local.cluster.LocalCluster;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * What must not be found, and where it is looked for: secrets in whatever comes out of the cluster
 * or lies in its tables and topics, content of users in what is said. Confined to one thread.
 */
final class Traces {

  private final LocalCluster cluster;

  /** Each by what it is called. */
  private final Map<String, String> secrets = new LinkedHashMap<>();

  private final Map<String, String> contents = new LinkedHashMap<>();
  private final Map<String, String> said = new LinkedHashMap<>();

  /** Knows the secrets in the cluster's own configuration. */
  Traces(LocalCluster cluster) throws IOException {
    this.cluster = cluster;
    known("the superuser's password", cluster.postgres().superuserPassword());
    Path configurations = Objects.requireNonNull(cluster.opsConfig().getParent());
    try (Stream<Path> files = Files.list(configurations)) {
      for (Path file : files.toList()) {
        readSecrets(file);
      }
    }
  }

  private void readSecrets(Path file) throws IOException {
    Properties settings = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      settings.load(reader);
    }
    for (String setting : settings.stringPropertyNames()) {
      String value = settings.getProperty(setting);
      if (setting.endsWith("password")) {
        known(file.getFileName() + " " + setting, value);
      } else if (setting.endsWith("-keys")) {
        known(file.getFileName() + " " + setting, value.substring(value.indexOf(':') + 1));
      }
    }
  }

  /** A new secret. */
  String secret(String what, String prefix) {
    String marker = prefix + UUID.randomUUID();
    secrets.put(what, marker);
    return marker;
  }

  /** New content of a user, which lies in tables and topics and is not said elsewhere. */
  String content(String what, String prefix) {
    String marker = prefix + UUID.randomUUID();
    contents.put(what, marker);
    return marker;
  }

  /** A secret that somebody else made; what is public about it does not count. */
  void known(String what, String secret) {
    String hidden = secret.startsWith("ow_") ? secret.split("_", 3)[2] : secret;
    if (hidden.length() < 12) {
      throw new AssertionError(what + " cannot be told from other text");
    }
    secrets.put(what, hidden.startsWith("whsec_") ? hidden.substring(6) : hidden);
  }

  /** Something that came out. */
  void said(String where, String text) {
    said.merge(where, text, (one, other) -> one + "\n" + other);
  }

  void file(String where, Path file) throws IOException {
    said(where, Files.readString(file));
  }

  /** Where what was found; empty if all is well. */
  List<String> found() throws Exception {
    readLogs();
    Map<String, String> kept = kept();
    List<String> found = new ArrayList<>();
    secrets.forEach(
        (what, secret) -> {
          places(said, secret).forEach(where -> found.add(what + " in " + where));
          places(kept, secret).forEach(where -> found.add(what + " in " + where));
        });
    contents.forEach(
        (what, content) ->
            places(said, content).forEach(where -> found.add(what + " in " + where)));
    return found;
  }

  /** In which tables and topics a text lies. */
  Set<String> inWhatWasKept(String text) throws Exception {
    return places(kept(), text);
  }

  /** All that a topic holds; empty if there is none. */
  String topic(String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      return consumer.listTopics().containsKey(topic) ? records(consumer, topic) : "";
    }
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(
        Map.of("bootstrap.servers", cluster.bootstrapServers()),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  private static Set<String> places(Map<String, String> texts, String secret) {
    byte[] bytes = secret.getBytes(UTF_8);
    List<String> forms =
        List.of(
            secret,
            HexFormat.of().formatHex(bytes),
            Base64.getEncoder().withoutPadding().encodeToString(bytes));
    Set<String> places = new LinkedHashSet<>();
    texts.forEach(
        (where, text) -> {
          if (forms.stream().anyMatch(text::contains)) {
            places.add(where);
          }
        });
    return places;
  }

  private void readLogs() throws Exception {
    Path logs = Objects.requireNonNull(cluster.api().log().getParent());
    try (Stream<Path> files = Files.list(logs)) {
      for (Path file : files.toList()) {
        file("log " + file.getFileName(), file);
      }
    }
    try (Connection superuser = cluster.postgres().connect("onceward");
        Statement statement = superuser.createStatement()) {
      Path data = Path.of(texts(statement, "SHOW data_directory").get(0));
      file("PostgreSQL's log", data.resolveSibling("postgresql.log"));
    }
    said("the end of Kafka's log", cluster.kafka().logTail());
  }

  private Map<String, String> kept() throws Exception {
    Map<String, String> kept = new LinkedHashMap<>();
    try (Connection superuser = cluster.postgres().connect("onceward");
        Statement statement = superuser.createStatement()) {
      for (String table :
          texts(
              statement,
              "SELECT relname FROM pg_class WHERE relnamespace = 'onceward'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition")) {
        kept.put(
            "table " + table,
            String.join("\n", texts(statement, "SELECT t::text FROM onceward." + table + " t")));
      }
    }
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      for (String topic : consumer.listTopics().keySet()) {
        if (topic.startsWith(cluster.topic(""))) {
          kept.put("topic " + topic, records(consumer, topic));
        }
      }
    }
    return kept;
  }

  private static String records(KafkaConsumer<byte[], byte[]> consumer, String topic) {
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    StringBuilder text = new StringBuilder();
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      consumer
          .poll(Duration.ofMillis(200))
          .forEach(
              each -> {
                append(text, each.key());
                append(text, each.value());
                each.headers().forEach(header -> append(text, header.value()));
              });
    }
    return text.toString();
  }

  private static void append(StringBuilder text, byte @Nullable [] bytes) {
    text.append(bytes == null ? "" : new String(bytes, UTF_8)).append('\n');
  }

  private static List<String> texts(Statement statement, String sql) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        texts.add(row.getString(1));
      }
    }
    return texts;
  }
}

package dev.onceward.local.matrix;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.onceward.embedded.InfrastructureException;
import dev.onceward.local.cluster.LocalCluster;
import dev.onceward.local.cluster.Service;
import dev.onceward.local.topic.SeenRecord;
import dev.onceward.local.topic.TopicReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/** A pipeline, and every question about it whose answer shows a moment. Confined to one thread. */
final class Site implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(8);
  private static final String WORKER_GROUP = "onceward-workers";

  private final LocalCluster cluster;
  private final Admin admin;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(ANSWER_LIMIT).build();
  private boolean twoRelays;

  Site(LocalCluster cluster) {
    this.cluster = cluster;
    this.admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()));
  }

  LocalCluster cluster() {
    return cluster;
  }

  /** A superuser's new connection; no answer of its takes longer than seconds. */
  Connection superuser() throws SQLException {
    String url = cluster.databaseUrl();
    Connection connection = cluster.postgres().connect(url.substring(url.lastIndexOf('/') + 1));
    connection.setNetworkTimeout(Runnable::run, (int) ANSWER_LIMIT.toMillis());
    return connection;
  }

  /** The first column of the first row as text; empty text when there is none. */
  String ask(String sql, Object... values) throws SQLException {
    try (Connection connection = superuser();
        PreparedStatement query = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        query.setObject(i + 1, values[i]);
      }
      try (ResultSet row = query.executeQuery()) {
        String answer = row.next() ? row.getString(1) : null;
        return answer == null ? "" : answer;
      }
    }
  }

  boolean holds(String condition, Object... values) throws SQLException {
    return ask("SELECT (" + condition + ")::text", values).equals("true");
  }

  /** Whether a process of ours waits for a lock with a statement that contains these words. */
  boolean waitsForLock(String application, String words) throws SQLException {
    return holds(
        "EXISTS (SELECT FROM pg_stat_activity WHERE application_name = ? AND wait_event_type ="
            + " 'Lock' AND strpos(query, ?) > 0)",
        application,
        words);
  }

  /** The number of events that Kafka has acknowledged to the relay since its start. */
  double published() throws IOException, InterruptedException {
    String name = "onceward_relay_events_published_total";
    return get(cluster.relay().health().resolve("/metrics"))
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** What a relay says that it is: leader or standby; empty text when it does not say. */
  String role(Service relay) throws IOException, InterruptedException {
    return relay.isReady() ? JSON.readTree(get(relay.health())).findPath("role").asText() : "";
  }

  private String get(URI uri) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(ANSWER_LIMIT).build();
    return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  /** Whether a topic holds nothing, or is not there. */
  boolean isEmpty(String topic) throws IOException, InterruptedException {
    if (!answer(admin.listTopics().names()).contains(topic)) {
      return true;
    }
    TopicDescription found =
        answer(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic);
    int partitions = found == null ? 0 : found.partitions().size();
    for (int partition = 0; partition < partitions; partition++) {
      TopicPartition place = new TopicPartition(topic, partition);
      ListOffsetsResult ends = admin.listOffsets(Map.of(place, OffsetSpec.latest()));
      if (answer(ends.partitionResult(place)).offset() > 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether the workers' group has not come past this record. */
  boolean isUncommitted(SeenRecord record) throws IOException, InterruptedException {
    Map<TopicPartition, OffsetAndMetadata> committed =
        answer(admin.listConsumerGroupOffsets(WORKER_GROUP).partitionsToOffsetAndMetadata());
    OffsetAndMetadata next = committed.get(new TopicPartition(record.topic(), record.partition()));
    return next == null || next.offset() <= record.topicOffset();
  }

  private static <T> T answer(KafkaFuture<T> coming) throws IOException, InterruptedException {
    try {
      return coming.get(ANSWER_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException failure) {
      throw new IOException("Kafka did not answer", failure);
    }
  }

  /** All records of a topic. */
  List<SeenRecord> records(String topic) throws InterruptedException {
    List<SeenRecord> records = new ArrayList<>();
    try (TopicReader reader = new TopicReader(cluster.bootstrapServers(), topic)) {
      boolean end = false;
      while (!end) {
        List<SeenRecord> more = reader.poll();
        records.addAll(more);
        end = more.isEmpty() && reader.atEnd();
      }
    }
    return records;
  }

  /** Whether a second relay stands by; it is started or stopped by {@link #makeWhole}. */
  void twoRelays(boolean wanted) {
    if (twoRelays && !wanted) {
      boolean unused = cluster.secondRelay().stop();
    }
    twoRelays = wanted;
  }

  /** Those that are to run. */
  List<Service> services() {
    List<Service> services =
        new ArrayList<>(List.of(cluster.relay(), cluster.api(), cluster.workers()));
    if (twoRelays) {
      services.add(cluster.secondRelay());
    }
    return services;
  }

  /**
   * Starts whatever does not run, again and again if need be, until all is ready.
   *
   * @return what is not ready within the limit
   */
  List<String> makeWhole(Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    List<String> missing = look();
    while (!missing.isEmpty() && System.nanoTime() - deadline < 0) {
      Thread.sleep(50);
      missing = look();
    }
    return missing;
  }

  private List<String> look() throws InterruptedException {
    List<String> missing = new ArrayList<>();
    try {
      cluster.postgres().start();
      cluster.kafka().start();
    } catch (InfrastructureException notNow) {
      missing.add(String.valueOf(notNow.getMessage()));
    }
    List<Service> services = services();
    services.forEach(Service::start);
    for (Service service : services) {
      if (!service.isReady()) {
        missing.add(service.name() + " is not ready");
      }
    }
    return missing;
  }

  @Override
  public void close() {
    admin.close(Duration.ZERO);
  }
}

package dev.onceward.bench;

import dev.onceward.db.UuidV7;
import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.TaskWriter;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.embedded.KafkaOptions;
import dev.onceward.event.RawJson;
import dev.onceward.event.route.EventRecord;
import dev.onceward.event.route.OutboxRow;
import dev.onceward.event.route.Partitioner;
import dev.onceward.event.route.RecordBuilder;
import dev.onceward.event.route.TopicNames;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A durable database and a broker, temporary both, with tasks in them. */
final class TaskWorld implements AutoCloseable {

  static final String EVENT_TYPE = "bench.wanted";
  static final String AGGREGATE_TYPE = "bench";
  static final String KIND = "do_bench";

  private static final int PARTITIONS = 6;
  private static final int TASKS_PER_TRANSACTION = 500;

  /** The workspace is set once per connection, and each statement is its own transaction. */
  private static final String CLAIM_AND_FINISH =
      """
      UPDATE onceward.operations SET state = 'running', attempt = attempt + 1, lease_owner = 'pgbench',
        lease_expires_at = now() + interval '30 s', next_attempt_at = NULL, updated_at = now()
      WHERE event_id = ('PREFIX' || lpad((:n)::bigint::text, 12, '0'))::uuid AND attempt < max_attempts AND state = 'queued'
      RETURNING id;
      UPDATE onceward.operations SET state = 'succeeded', result = NULL, lease_owner = NULL, lease_expires_at = NULL,
        finished_at = now(), updated_at = now()
      WHERE event_id = ('PREFIX' || lpad((:n)::bigint::text, 12, '0'))::uuid AND state = 'running' AND lease_owner = 'pgbench' AND attempt = 1;
      """;

  private final BenchServers servers = new BenchServers(KafkaOptions.temporary());

  TaskWorld() throws SQLException {}

  String url() {
    return servers.url();
  }

  String role() {
    return BenchServers.APP_ROLE;
  }

  String password() {
    return servers.password();
  }

  String bootstrapServers() {
    return servers.bootstrapServers();
  }

  UUID workspaceId() {
    return servers.workspaceId();
  }

  /** Has pgbench claim and finish tasks that were written; how many per second. */
  double claimAndFinish(String idPrefix, int tasks, int clients)
      throws IOException, InterruptedException {
    return Pgbench.run(
        servers, CLAIM_AND_FINISH.replace("PREFIX", idPrefix), "simple", tasks, clients);
  }

  /**
   * Writes tasks whose ids can be computed, for a load generator that knows nothing but numbers.
   *
   * @return what the ids of the events begin with; twelve decimal digits of the number, from 0,
   *     follow
   */
  String write(int count) throws SQLException {
    String prefix = UuidV7.next().toString().substring(0, 24);
    for (int first = 0; first < count; first += TASKS_PER_TRANSACTION) {
      int from = first;
      int to = Math.min(count, first + TASKS_PER_TRANSACTION);
      servers
          .app()
          .runInWorkspace(
              workspaceId(),
              connection -> {
                for (int number = from; number < to; number++) {
                  TaskWriter.append(connection, NewTask.of(KIND, event(prefix, number)));
                }
              });
    }
    return prefix;
  }

  private static NewEvent event(String prefix, int number) {
    NewEvent event = NewEvent.of(EVENT_TYPE, AGGREGATE_TYPE, "thing-" + number, "{}");
    return new NewEvent(
        UUID.fromString(prefix + "%012d".formatted(number)),
        event.eventType(),
        event.payloadVersion(),
        event.aggregateType(),
        event.aggregateId(),
        event.resourceType(),
        event.resourceId(),
        null,
        null,
        null,
        null,
        event.payload());
  }

  /** Sends the events of written tasks to a new topic. */
  void send(String topicPrefix, String idPrefix, int count)
      throws InterruptedException, ExecutionException {
    TopicNames names = TopicNames.withPrefix(topicPrefix);
    RecordBuilder records = new RecordBuilder(names, Partitioner.AGGREGATE, topic -> PARTITIONS);
    Map<String, Object> client = Map.of("bootstrap.servers", bootstrapServers());
    try (Admin admin = Admin.create(client)) {
      admin
          .createTopics(
              Set.of(
                  new NewTopic(
                      names.topicOf(EVENT_TYPE, AGGREGATE_TYPE),
                      Optional.of(PARTITIONS),
                      Optional.empty())))
          .all()
          .get();
    }
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            // A record twice does no harm here: the task behind it is done once.
            Map.of("bootstrap.servers", bootstrapServers(), "enable.idempotence", "false"),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      List<Future<?>> sent = new ArrayList<>();
      for (int number = 0; number < count; number++) {
        EventRecord record = records.build(row(event(idPrefix, number)));
        sent.add(
            producer.send(
                new ProducerRecord<>(
                    record.topic(),
                    record.partition(),
                    record.key(),
                    record.value(),
                    record.headers())));
      }
      for (var one : sent) {
        var unused = one.get();
      }
    }
  }

  private OutboxRow row(NewEvent event) {
    return new OutboxRow(
        event.id(),
        workspaceId(),
        event.eventType(),
        event.payloadVersion(),
        event.aggregateType(),
        event.aggregateId(),
        event.resourceType(),
        event.resourceId(),
        null,
        null,
        null,
        null,
        RawJson.of(event.payload()));
  }

  /** How many of the tasks have succeeded. */
  long succeeded(String idPrefix) throws SQLException {
    return (long) one("count(*)", idPrefix);
  }

  /** Tasks per second between the first end and the last one, by the database's clock. */
  double perSecond(String idPrefix) throws SQLException {
    return one(
        "(count(*) - 1) / extract(epoch FROM max(finished_at) - min(finished_at))", idPrefix);
  }

  private double one(String expression, String idPrefix) throws SQLException {
    String sql =
        "SELECT "
            + expression
            + " FROM onceward.operations WHERE state = 'succeeded' AND event_id::text LIKE ?";
    try (Connection superuser = servers.connectAsSuperuser();
        PreparedStatement statement = superuser.prepareStatement(sql)) {
      statement.setString(1, idPrefix + "%");
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getDouble(1);
      }
    }
  }

  /** So that no variant pays for the rows of another. */
  void vacuum() throws SQLException {
    try (Connection superuser = servers.connectAsSuperuser();
        var statement = superuser.createStatement()) {
      statement.execute("VACUUM (ANALYZE) onceward.operations");
      statement.execute("CHECKPOINT");
    }
  }

  @Override
  public void close() {
    servers.close();
  }
}

package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.KafkaBroker;
import dev.onceward.embedded.KafkaOptions;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What parks and what does not, with a broker that knows permissions and can be stopped. */
@ExtendWith(InfrastructureExtension.class)
class ParkingFaultsTest {
  private static KafkaBroker kafka;
  private static Admin admin;

  private MigratedDatabase database;
  private TestOutbox outbox;
  private TestParked parked;
  private Map<String, String> settings;
  private String prefix;

  @BeforeAll
  static void startBroker() {
    kafka =
        KafkaBroker.start(
            KafkaOptions.temporary()
                .withSetting(
                    "authorizer.class.name",
                    "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
                .withSetting("allow.everyone.if.no.acl.found", "true"));
    admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
  }

  @AfterAll
  static void stopBroker() {
    admin.close(Duration.ZERO);
    kafka.close();
  }

  @BeforeEach
  void prepare(PostgresServer postgres) throws Exception {
    database = MigratedDatabase.create(postgres);
    outbox = new TestOutbox(database);
    prefix = "t" + UUID.randomUUID().toString().substring(0, 8) + ".";
    parked = new TestParked(database, kafka.bootstrapServers(), prefix);
    settings = TestRelay.settings(database, kafka.bootstrapServers(), prefix);
    admin
        .createTopics(
            List.of(
                new NewTopic(prefix + "order", 1, (short) 1),
                new NewTopic(prefix + "invoice", 1, (short) 1)))
        .all()
        .get();
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  void a_topic_that_may_not_be_written_parks_its_events_until_it_may() throws Exception {
    try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
      List<UUID> orders = new ArrayList<>();
      orders.add(outbox.append("a", "0"));
      parked.awaitDelivered(orders);
      List<AclBinding> forbidden =
          List.of(
              acl(AclOperation.WRITE, AclPermissionType.DENY),
              acl(AclOperation.READ, AclPermissionType.ALLOW),
              acl(AclOperation.DESCRIBE, AclPermissionType.ALLOW));
      admin.createAcls(forbidden).all().get();
      for (int i = 1; i < 20; i++) {
        orders.add(outbox.append("a", Integer.toString(i)));
      }
      UUID other = outbox.appendInvoice("i");

      parked.awaitDelivered(Set.of(other));
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> parked.withStatus("pending").contains(orders.get(19)));
      relay.awaitDown("parked: events of topic " + prefix + "order are parked");
      assertThat(relay.health().reasons().toString()).contains("does not let the relay write");
      admin.deleteAcls(forbidden.stream().map(AclBinding::toFilter).toList()).all().get();

      List<UUID> arrived = TestParked.order(parked.awaitDelivered(orders));
      assertThat(arrived).containsSubsequence(orders);
      assertThat(arrived).hasSize(21);
      parked.awaitAllDispatched();
      relay.awaitUp();
      assertThat(parked.ask("SELECT count(*) FROM onceward.parked_events")).isEqualTo("0");
    }
  }

  @Test
  @Tag("S28")
  void a_kafka_that_is_away_for_longer_than_a_topics_patience_parks_nothing() throws Exception {
    settings.put("onceward.relay.topic-patience", "2s");
    try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
      List<UUID> orders = new ArrayList<>(List.of(outbox.append("a", "0")));
      parked.awaitDelivered(orders);
      kafka.suspend();
      orders.add(outbox.append("a", "1"));
      orders.add(outbox.append("a", "2"));
      relay.awaitDown("kafka: ");
      await()
          .during(Duration.ofSeconds(15))
          .atMost(Duration.ofSeconds(30))
          .until(() -> parked.ask("SELECT count(*) FROM onceward.parked_events").equals("0"));
      kafka.resume();

      assertThat(TestParked.order(parked.awaitDelivered(orders))).isEqualTo(orders);
      parked.awaitAllDispatched();
      relay.awaitUp();
      assertThat(relay.count("onceward.parked.events")).isZero();
    } finally {
      kafka.resume();
    }
  }

  private AclBinding acl(AclOperation operation, AclPermissionType permission) {
    return new AclBinding(
        new ResourcePattern(ResourceType.TOPIC, prefix + "order", PatternType.LITERAL),
        new AccessControlEntry("User:*", "*", operation, permission));
  }
}

package dev.onceward.embedded.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.embedded.KafkaBroker;
import dev.onceward.embedded.PostgresServer;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
class InfrastructureExtensionTest {
  private static String ofTheClass = "";
  private String beforeTheTest = "";

  @BeforeAll
  static void class_database(TestDatabase database) {
    ofTheClass = database.name();
  }

  @BeforeEach
  void method_database(TestDatabase database) {
    beforeTheTest = database.name();
  }

  @Test
  void a_test_shares_its_database_with_before_each_and_not_with_the_class(TestDatabase database)
      throws Exception {
    assertThat(database.name()).isEqualTo(beforeTheTest).isNotEqualTo(ofTheClass);
    create_a_table(database);
  }

  @Test
  void another_test_has_another_database(TestDatabase database) throws Exception {
    create_a_table(database);
  }

  @Test
  void topics_have_a_prefix_of_their_own(TestTopics topics, KafkaBroker broker) throws Exception {
    String topic = topics.create("stores", 3);
    assertThat(topic).isEqualTo(topics.prefix() + "stores");
    assertThat(topics.bootstrapServers()).isEqualTo(broker.bootstrapServers());
    assertThat(topics.admin().listTopics().names().get(30, TimeUnit.SECONDS)).contains(topic);
  }

  @Test
  void the_server_is_the_database_s(PostgresServer server, TestDatabase database) {
    assertThat(database.jdbcUrl()).isEqualTo(server.jdbcUrl(database.name()));
  }

  private static void create_a_table(TestDatabase database) throws Exception {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE only_mine (id int)");
    }
  }
}

package dev.onceward.embedded;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

@EnabledIfEnvironmentVariable(named = TestInfrastructure.VARIABLE, matches = "docker")
class ContainerServersTest {
  @Test
  void postgres_in_a_container_keeps_data_and_port_over_a_kill_and_every_stop() throws Exception {
    try (PostgresServer server =
        TestInfrastructure.DOCKER.startPostgres(
            PostgresOptions.temporary().withSetting("max_slot_wal_keep_size", "64MB"))) {
      assertThat(server).isInstanceOf(ContainerPostgres.class);
      assertThat(PostgresServerTest.setting(server, "wal_level")).isEqualTo("logical");
      assertThat(PostgresServerTest.setting(server, "max_slot_wal_keep_size")).isEqualTo("64MB");
      int port = server.port();
      PostgresServerTest.execute(server, "CREATE TABLE kept (id int)");
      server.kill();
      assertThat(server.isRunning()).isFalse();
      assertThatThrownBy(() -> server.connect("postgres")).isInstanceOf(SQLException.class);
      server.start();
      for (ShutdownMode mode : ShutdownMode.values()) {
        server.stop(mode);
        assertThat(server.isRunning()).as("after %s", mode).isFalse();
        server.start();
      }
      assertThat(server.port()).isEqualTo(port);
      assertThat(PostgresServerTest.query(server, "SELECT count(*) FROM kept")).isEqualTo("0");
    }
  }

  @Test
  void kafka_in_a_container_keeps_topics_and_port_over_a_kill_a_stop_and_a_pause()
      throws Exception {
    try (KafkaBroker broker = TestInfrastructure.DOCKER.startKafka(KafkaOptions.temporary());
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      assertThat(broker).isInstanceOf(ContainerKafka.class);
      admin.createTopics(List.of(new NewTopic("kept", 1, (short) 1))).all().get(30, SECONDS);
      broker.kill();
      assertThat(broker.isRunning()).isFalse();
      broker.start();
      broker.stop();
      assertThat(broker.isRunning()).isFalse();
      broker.start();
      assertThat(admin.listTopics().names().get(30, SECONDS)).contains("kept");
      broker.suspend();
      assertThatThrownBy(() -> admin.listTopics().names().get(2, SECONDS))
          .isInstanceOf(TimeoutException.class);
      broker.resume();
      assertThat(admin.listTopics().names().get(60, SECONDS)).contains("kept");
    }
  }
}

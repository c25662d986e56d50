package dev.onceward.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.embedded.FreePorts;
import dev.onceward.process.StartupException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

final class PortChoiceTest {

  @Test
  void what_is_asked_for_wins_over_the_last_start_and_that_over_a_free_one() {
    int asked = FreePorts.next();
    int last = FreePorts.next();

    ClusterPorts ports =
        PortChoice.choose(
            ClusterPorts.ANY.withApi(asked), new ClusterPorts(0, last, last + 1, 0, 0, 0, 0));

    assertThat(ports.api()).isEqualTo(asked);
    assertThat(ports.kafka()).isEqualTo(last);
    assertThat(ports.postgres()).isPositive().isNotEqualTo(ports.relay());
  }

  @Test
  void a_taken_port_is_named_with_the_option_that_changes_it() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();

      assertThatThrownBy(() -> PortChoice.choose(ClusterPorts.ANY.withApi(port), ClusterPorts.ANY))
          .isInstanceOfSatisfying(
              StartupException.class,
              failure -> {
                assertThat(failure).hasMessageContaining("port " + port + " for the API is taken");
                assertThat(failure.remedy()).contains("--port N");
              });
    }
  }

  @Test
  void one_port_for_two_servers_is_refused() {
    int port = FreePorts.next();

    assertThatThrownBy(
            () -> PortChoice.choose(new ClusterPorts(0, port, port, 0, 0, 0, 0), ClusterPorts.ANY))
        .hasMessageContaining("port " + port + " is wanted by Kafka and by the API");
  }
}

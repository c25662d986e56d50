package dev.onceward.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FreePortsTest {
  @Test
  void they_differ_and_no_outgoing_connection_can_take_them() {
    int[] ports = IntStream.range(0, 50).map(i -> FreePorts.next()).toArray();
    assertThat(ports).doesNotHaveDuplicates();
    assertThat(IntStream.of(ports)).allMatch(port -> port >= 1024 && port < 32_768);
  }

  @Test
  void a_port_with_a_listener_is_not_free() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(FreePorts.isFree(taken.getLocalPort())).isFalse();
    }
  }

  @Test
  void an_impossible_port_is_refused_at_once() {
    assertThatThrownBy(() -> PostgresOptions.temporary().withPort(70_000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("70000");
    assertThatThrownBy(() -> KafkaOptions.temporary().withPort(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
  }
}

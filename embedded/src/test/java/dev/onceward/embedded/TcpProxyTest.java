package dev.onceward.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.embedded.TcpProxy.Condition;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TcpProxyTest {

  private static final int MOMENT_MILLIS = 200;
  private static final int LIMIT_MILLIS = 10_000;

  private ServerSocket listener;
  private TcpProxy proxy;

  @BeforeEach
  void start() throws IOException {
    listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    proxy = TcpProxy.to(listener.getLocalPort());
  }

  @AfterEach
  void stop() throws IOException {
    proxy.close();
    listener.close();
  }

  @Test
  void a_good_or_slow_network_passes_on_what_comes_and_the_end() throws IOException {
    proxy.become(Condition.SLOW);
    try (Socket client = client();
        Socket server = listener.accept()) {
      client.getOutputStream().write(7);
      assertThat(server.getInputStream().read()).isEqualTo(7);
      proxy.become(Condition.GOOD);
      server.getOutputStream().write(8);
      assertThat(client.getInputStream().read()).isEqualTo(8);
      server.close();
      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void what_is_sent_into_a_black_hole_arrives_when_it_is_over() throws IOException {
    try (Socket client = client();
        Socket server = listener.accept()) {
      proxy.become(Condition.BLACK_HOLE);
      client.getOutputStream().write(7);
      server.setSoTimeout(MOMENT_MILLIS);
      assertThatThrownBy(() -> server.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);

      proxy.become(Condition.GOOD);
      server.setSoTimeout(LIMIT_MILLIS);
      assertThat(server.getInputStream().read()).isEqualTo(7);
    }
  }

  @Test
  void a_broken_network_ends_old_connections_and_refuses_new_ones() throws IOException {
    try (Socket old = client();
        Socket server = listener.accept()) {
      assertThat(server.isConnected()).isTrue();
      proxy.become(Condition.BROKEN);
      try (Socket fresh = client()) {
        assertEnds(old);
        assertEnds(fresh);
      }
    }
  }

  private static void assertEnds(Socket socket) {
    assertThatThrownBy(
            () -> {
              if (socket.getInputStream().read() < 0) {
                throw new IOException("ended");
              }
            })
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(SocketTimeoutException.class);
  }

  private Socket client() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    socket.setSoTimeout(LIMIT_MILLIS);
    return socket;
  }
}

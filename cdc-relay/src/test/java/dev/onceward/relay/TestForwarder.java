package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** One address whose connections go to a server that can be exchanged, as a virtual address is. */
final class TestForwarder implements AutoCloseable {
  private final ServerSocket listener;
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private volatile int target;

  private TestForwarder(int target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon(this::accept);
  }

  static TestForwarder to(int port) throws IOException {
    return new TestForwarder(port);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** New connections go there; old ones end. */
  void forwardTo(int port) {
    target = port;
    open.forEach(TestForwarder::end);
    open.clear();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        open.add(client);
        connect(client);
      } catch (IOException e) {
        assertThat(listener.isClosed()).isTrue();
      }
    }
  }

  private void connect(Socket client) {
    try {
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      open.add(server);
      daemon(() -> copy(client, server));
      daemon(() -> copy(server, client));
    } catch (IOException e) {
      end(client); // The server is away.
    }
  }

  private static void copy(Socket from, Socket to) {
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      in.transferTo(out);
    } catch (IOException e) {
      end(from);
    } finally {
      end(to);
    }
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "forwarder");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    open.forEach(TestForwarder::end);
  }
}

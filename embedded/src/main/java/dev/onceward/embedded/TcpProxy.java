package dev.onceward.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A network between clients and one server of the loopback address, which can be made bad.
 * Thread-safe. Two threads serve each connection.
 */
public final class TcpProxy implements AutoCloseable {

  /** How the network is. */
  public enum Condition {
    /** It passes everything on at once. */
    GOOD,
    /** Every connection is reset, new ones too. */
    BROKEN,
    /** Each portion of at most 16 KiB takes a while. */
    SLOW,
    /**
     * Connections stay open, new ones too, and nothing comes through. What was sent arrives late,
     * when the condition is over, as TCP does.
     */
    BLACK_HOLE
  }

  private static final int BACKLOG = 50;
  private static final int PORTION_BYTES = 16_384;
  private static final Duration SLOWNESS = Duration.ofMillis(120);
  private static final Duration PACE = Duration.ofMillis(40);

  private final ServerSocket listener;
  private final int target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private Condition condition = Condition.GOOD;
  private boolean closed;

  private TcpProxy(int target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(FreePorts.next(), BACKLOG, InetAddress.getLoopbackAddress());
    daemon(this::accept);
  }

  /**
   * Starts one on a free port.
   *
   * @param target the server's port; the server need not be there
   */
  public static TcpProxy to(int target) {
    try {
      return new TcpProxy(target);
    } catch (IOException failure) {
      throw new InfrastructureException("No proxy can listen for port " + target + ".", failure);
    }
  }

  /** Where clients connect, on the loopback address. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Changes the network; it stays so until the next change. */
  public synchronized void become(Condition wanted) {
    condition = wanted;
    notifyAll();
    if (wanted == Condition.BROKEN) {
      open.forEach(TcpProxy::reset);
    }
  }

  /** Ends every connection and listens no more. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    try {
      listener.close();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    open.forEach(TcpProxy::reset);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        open.add(client);
        daemon(() -> serve(client));
      } catch (IOException closedOrGone) {
        // the loop's condition tells which
      }
    }
  }

  private void serve(Socket client) {
    try {
      pass();
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      open.add(server);
      server.setTcpNoDelay(true);
      client.setTcpNoDelay(true);
      daemon(() -> copy(server, client));
      copy(client, server);
    } catch (IOException brokenOrAway) {
      reset(client);
      open.remove(client);
    }
  }

  private void copy(Socket from, Socket to) {
    byte[] portion = new byte[PORTION_BYTES];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int bytes = in.read(portion); bytes >= 0; bytes = in.read(portion)) {
        pass();
        out.write(portion, 0, bytes);
      }
      pass();
    } catch (IOException broken) {
      reset(to);
    } finally {
      end(to);
      end(from);
    }
  }

  /** Returns when what waits may go on. */
  private synchronized void pass() throws IOException {
    long begun = System.nanoTime();
    try {
      while (!closed && isHeld(Duration.ofNanos(System.nanoTime() - begun))) {
        wait(PACE.toMillis());
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", stopped);
    }
    if (condition == Condition.BROKEN || closed) {
      throw new IOException("the network is broken");
    }
  }

  private synchronized boolean isHeld(Duration already) {
    return condition == Condition.BLACK_HOLE
        || (condition == Condition.SLOW && already.compareTo(SLOWNESS) < 0);
  }

  private void end(Socket socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException closedAlready) {
      return; // what was wanted
    }
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "tcp-proxy");
    thread.setDaemon(true);
    thread.start();
  }
}

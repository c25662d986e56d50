package dev.onceward.local.matrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What lies in this machine's TCP sockets and has not been read, as {@code proc(5)} shows it.
 * Stateless.
 */
final class SocketQueues {

  private static final int LOCAL_ADDRESS = 1;
  private static final int QUEUES = 4;
  private static final int HEXADECIMAL = 16;

  private SocketQueues() {}

  /**
   * The most bytes that wait in one connection to a local port.
   *
   * @throws IOException where there is no {@code /proc/net/tcp}
   */
  static long largest(int localPort) throws IOException {
    long largest = 0;
    // A JVM listens on IPv6 sockets also for IPv4.
    for (String file : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      List<String> lines = Files.readAllLines(Path.of(file));
      for (String line : lines.subList(1, lines.size())) {
        String[] columns = line.strip().split("\\s+", -1);
        if (afterColon(columns[LOCAL_ADDRESS]) == localPort) {
          largest = Math.max(largest, afterColon(columns[QUEUES]));
        }
      }
    }
    return largest;
  }

  /**
   * {@code 0100007F:AF65} is an address and a port, {@code 00000000:0000C350} what is unsent and
   * unread.
   */
  private static long afterColon(String column) {
    return Long.parseLong(column.substring(column.indexOf(':') + 1), HEXADECIMAL);
  }
}

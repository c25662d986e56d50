package dev.onceward.api.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Sends bytes that no HTTP client would send, and reads the answer to the end of the connection.
 */
final class RawHttp {
  private RawHttp() {}

  static String exchange(int port, byte[] request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(request);
      socket.getOutputStream().flush();
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      socket.getInputStream().transferTo(answer);
      return answer.toString(StandardCharsets.UTF_8);
    }
  }

  /** One char of the text is one byte on the wire. */
  static String exchange(int port, String latin1) throws IOException {
    return exchange(port, latin1.getBytes(StandardCharsets.ISO_8859_1));
  }
}

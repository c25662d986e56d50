package dev.onceward.relay.capture.direct;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Texts in messages. The driver always asks for UTF-8, whatever the database's own encoding is. */
final class ProtocolText {
  private ProtocolText() {}

  /** A text that a zero byte ends (the manual's type String). */
  static String terminated(ByteBuffer message) {
    int length = 0;
    while (message.get(message.position() + length) != 0) {
      length++;
    }
    String text = counted(message, length);
    byte unusedZero = message.get();
    return text;
  }

  /** A text of so many bytes. */
  static String counted(ByteBuffer message, int length) {
    String text =
        new String(
            message.array(),
            message.arrayOffset() + message.position(),
            length,
            StandardCharsets.UTF_8);
    message.position(message.position() + length);
    return text;
  }
}

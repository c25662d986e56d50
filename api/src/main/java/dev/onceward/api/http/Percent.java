package dev.onceward.api.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Percent-encoding of RFC 3986, strictly. */
final class Percent {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private Percent() {}

  /**
   * One text for all spellings of a path or query: octets that need no encoding are decoded, the
   * others encoded in upper case (RFC 3986 §6.2.2).
   *
   * @return null when an escape is malformed
   */
  static @Nullable String normalise(String raw) {
    StringBuilder out = new StringBuilder(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%') {
        int octet = octet(raw, i);
        if (octet < 0) {
          return null;
        }
        append((char) octet, !unreserved((char) octet), out);
        i += 2;
      } else {
        append(c, c <= ' ' || c >= 0x7f, out);
      }
    }
    return out.toString();
  }

  /**
   * The text that was encoded as UTF-8.
   *
   * @param plusIsSpace as in query strings of forms
   * @return null when an escape is malformed or the octets are no UTF-8
   */
  static @Nullable String decode(String encoded, boolean plusIsSpace) {
    ByteBuffer bytes = ByteBuffer.allocate(encoded.length() * 3);
    for (int i = 0; i < encoded.length(); i++) {
      char c = encoded.charAt(i);
      if (c == '%') {
        int octet = octet(encoded, i);
        if (octet < 0) {
          return null;
        }
        bytes.put((byte) octet);
        i += 2;
      } else if (c == '+' && plusIsSpace) {
        bytes.put((byte) ' ');
      } else if (c < 0x80) {
        bytes.put((byte) c);
      } else {
        bytes.put(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
      }
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private static int octet(String text, int at) {
    if (at + 2 >= text.length()
        || !HexFormat.isHexDigit(text.charAt(at + 1))
        || !HexFormat.isHexDigit(text.charAt(at + 2))) {
      return -1;
    }
    return HexFormat.fromHexDigits(text, at + 1, at + 3);
  }

  private static boolean unreserved(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '.'
        || c == '_'
        || c == '~';
  }

  private static void append(char c, boolean encode, StringBuilder out) {
    if (!encode) {
      out.append(c);
    } else if (c <= 0xff) {
      out.append('%').append(HEX.toHexDigits((byte) c));
    } else {
      for (byte b : String.valueOf(c).getBytes(StandardCharsets.UTF_8)) {
        out.append('%').append(HEX.toHexDigits(b));
      }
    }
  }
}

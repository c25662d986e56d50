package dev.onceward.event;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One JSON value as the UTF-8 bytes in which it was written. Two are equal if their bytes are.
 *
 * <p>The bytes are not parsed: whoever makes one vouches that they are exactly one JSON value (the
 * outbox column is of type {@code json}, so PostgreSQL has checked it; {@link EnvelopeCodec#decode}
 * has, too). Immutable.
 */
public final class RawJson {
  private final byte[] utf8;

  private RawJson(byte[] utf8) {
    this.utf8 = utf8;
  }

  /**
   * Takes a JSON text.
   *
   * @param json exactly one JSON value
   * @throws IllegalArgumentException if it is empty or holds an unpaired surrogate, which has no
   *     UTF-8 form
   */
  public static RawJson of(String json) {
    if (json.isEmpty()) {
      throw new IllegalArgumentException(
          "A JSON text has at least one character; this one is empty");
    }
    for (int i = 0; i < json.length(); i++) {
      if (Character.isSurrogate(json.charAt(i))) {
        boolean paired =
            i + 1 < json.length() && Character.isSurrogatePair(json.charAt(i), json.charAt(i + 1));
        if (!paired) {
          throw new IllegalArgumentException(
              "The JSON text holds an unpaired surrogate at index " + i + "; it has no UTF-8 form");
        }
        i++;
      }
    }
    return new RawJson(json.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Takes a copy of the bytes.
   *
   * @param utf8 exactly one JSON value in UTF-8
   * @throws IllegalArgumentException if there are none
   */
  public static RawJson copyOf(byte[] utf8) {
    return copyOfRange(utf8, 0, utf8.length);
  }

  /**
   * Takes a copy of some of the bytes.
   *
   * @param utf8 holds exactly one JSON value in UTF-8 in the range
   * @param from the first of them
   * @param to behind the last of them
   * @throws IllegalArgumentException if there are none
   */
  public static RawJson copyOfRange(byte[] utf8, int from, int to) {
    if (from >= to) {
      throw new IllegalArgumentException("A JSON value has at least one byte; this one is empty");
    }
    return new RawJson(Arrays.copyOfRange(utf8, from, to));
  }

  /** A copy of the bytes. */
  public byte[] toBytes() {
    return utf8.clone();
  }

  /** The JSON text. */
  public String text() {
    return new String(utf8, StandardCharsets.UTF_8);
  }

  /** How many bytes the value has in UTF-8. */
  public int sizeBytes() {
    return utf8.length;
  }

  /** The bytes themselves, for this package's own reading. */
  byte[] sharedBytes() {
    return utf8;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RawJson json && Arrays.equals(utf8, json.utf8);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(utf8);
  }

  /** The size only: a payload never reaches a log by accident. */
  @Override
  public String toString() {
    return "RawJson[" + utf8.length + " bytes]";
  }
}

package dev.onceward.ops.show;

import java.util.Locale;

/** Sizes for people. Stateless. */
public final class ByteText {

  private static final long KIBIBYTE = 1024;
  private static final long MEBIBYTE = 1024 * KIBIBYTE;
  private static final long GIBIBYTE = 1024 * MEBIBYTE;

  /** A unit is taken from ten of it on, so that two digits are left. */
  private static final long FROM = 10;

  private ByteText() {}

  /** Such as {@code 512 B}, {@code 20.0 KiB} or {@code 16.0 MiB}. */
  public static String of(long bytes) {
    if (bytes < FROM * KIBIBYTE) {
      return bytes + " B";
    }
    if (bytes < FROM * MEBIBYTE) {
      return in(bytes, KIBIBYTE, "KiB");
    }
    return bytes < FROM * GIBIBYTE ? in(bytes, MEBIBYTE, "MiB") : in(bytes, GIBIBYTE, "GiB");
  }

  private static String in(long bytes, long unit, String name) {
    return String.format(Locale.ROOT, "%.1f %s", (double) bytes / unit, name);
  }
}

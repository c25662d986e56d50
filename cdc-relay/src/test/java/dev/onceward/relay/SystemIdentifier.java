package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Gives a stopped server another system identifier and leaves its data and its transactions alone,
 * as pg_upgrade does in effect. The identifier stands in {@code global/pg_control}, which ends with
 * a checksum, and in the first page of each log segment (PostgreSQL's {@code pg_control.h} and
 * {@code xlog_internal.h}).
 */
final class SystemIdentifier {
  private static final int SHORTEST_CONTROL = 200;
  private static final int LONGEST_CONTROL = 512;

  /** In a segment's first page, after its magic, flags, timeline, address and remaining length. */
  private static final int IN_SEGMENT = 24;

  private SystemIdentifier() {}

  static void change(Path data) throws IOException {
    Path file = data.resolve("global").resolve("pg_control");
    ByteBuffer control = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder());
    int checksumAt = checksumAt(control);
    long old = control.getLong(0);
    long changed = old + 1;
    control.putLong(0, changed).putInt(checksumAt, checksum(control, checksumAt));
    Files.write(file, control.array(), StandardOpenOption.TRUNCATE_EXISTING);
    int segments = 0;
    for (Path segment : segments(data.resolve("pg_wal"))) {
      ByteBuffer page = ByteBuffer.wrap(Files.readAllBytes(segment)).order(ByteOrder.nativeOrder());
      if (page.getLong(IN_SEGMENT) == old) {
        page.putLong(IN_SEGMENT, changed);
        Files.write(segment, page.array(), StandardOpenOption.TRUNCATE_EXISTING);
        segments++;
      }
    }
    assertThat(segments).isPositive();
  }

  /** The checksum is the last member, and the length differs between the versions. */
  private static int checksumAt(ByteBuffer control) {
    for (int length = SHORTEST_CONTROL; length < LONGEST_CONTROL; length += Integer.BYTES) {
      if (control.getInt(length) == checksum(control, length)) {
        return length;
      }
    }
    throw new AssertionError("pg_control has no checksum where one was looked for");
  }

  private static int checksum(ByteBuffer control, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(control.duplicate().position(0).limit(length));
    return (int) checksum.getValue();
  }

  private static List<Path> segments(Path log) throws IOException {
    try (Stream<Path> files = Files.list(log)) {
      return files.filter(file -> file.getFileName().toString().matches("[0-9A-F]{24}")).toList();
    }
  }
}

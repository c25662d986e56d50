package dev.onceward.ops.offsets;

import dev.onceward.ops.Refusal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Topic offsets that the operator names. Stateless. */
final class OffsetReset {
  private OffsetReset() {}

  /**
   * One of them.
   *
   * @param partition of a topic
   * @param offset to read next
   */
  record Wanted(TopicPartition partition, long offset) {}

  /** Reads {@code topic:partition:offset}. */
  static final class Converter implements ITypeConverter<Wanted> {
    @Override
    public Wanted convert(String text) {
      String[] parts = text.split(":", -1);
      try {
        if (parts.length == 3 && !parts[0].isEmpty()) {
          return new Wanted(
              new TopicPartition(parts[0], Integer.parseInt(parts[1])), Long.parseLong(parts[2]));
        }
      } catch (NumberFormatException e) {
        throw new TypeConversionException(wrong(text));
      }
      throw new TypeConversionException(wrong(text));
    }

    private static String wrong(String text) {
      return "\"" + text + "\" is not TOPIC:PARTITION:OFFSET";
    }
  }

  /** Checks that each of them is in a partition that exists, and in its range. */
  static Map<TopicPartition, NewOffset> check(Admin admin, List<Wanted> wanted) {
    for (Wanted each : wanted) {
      List<TopicPartition> present = Topics.partitions(admin, each.partition.topic());
      if (!present.contains(each.partition)) {
        throw Refusal.of(
            "topic "
                + each.partition.topic()
                + " has no partition "
                + each.partition.partition()
                + ": it has "
                + present.size(),
            "Name one from 0 to " + (present.size() - 1));
      }
    }
    Map<TopicPartition, OffsetRange> ranges =
        OffsetRange.of(admin, Set.copyOf(wanted.stream().map(Wanted::partition).toList()));
    Map<TopicPartition, NewOffset> offsets = new HashMap<>();
    for (Wanted each : wanted) {
      OffsetRange range = ranges.getOrDefault(each.partition, new OffsetRange(0, 0));
      if (each.offset < range.beginning() || each.offset > range.end()) {
        throw Refusal.of(
            "offset " + each.offset + " is out of range in " + each.partition,
            "Name one from " + range.beginning() + " to " + range.end());
      }
      offsets.put(each.partition, new NewOffset(each.offset, null));
    }
    return offsets;
  }
}

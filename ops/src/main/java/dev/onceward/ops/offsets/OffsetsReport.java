package dev.onceward.ops.offsets;

import dev.onceward.ops.offsets.PipelinePositions.Audit;
import dev.onceward.ops.offsets.PipelinePositions.Slot;
import dev.onceward.ops.offsets.PipelinePositions.Watermark;
import dev.onceward.ops.show.TextTable;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where everything stands. Immutable.
 *
 * @param slot the replication slot; null if it does not exist
 * @param watermark up to where everything is delivered; null if no relay has ever run
 * @param audit up to where that is verified; null likewise
 * @param topics what each partition holds
 * @param groups who reads them
 */
public record OffsetsReport(
    @Nullable Slot slot,
    @Nullable Watermark watermark,
    @Nullable Audit audit,
    List<PartitionEnds> topics,
    List<Group> groups) {

  public OffsetsReport {
    topics = List.copyOf(topics);
    groups = List.copyOf(groups);
  }

  /**
   * @param topic of the partition
   * @param partition its number
   * @param beginningOffset the first topic offset that is kept
   * @param endOffset the one that the next record gets
   */
  public record PartitionEnds(String topic, int partition, long beginningOffset, long endOffset) {}

  /**
   * @param group its name
   * @param type classic, consumer or share
   * @param state as Kafka has it; empty means that it has no members
   * @param lagRecords how many records it has not read, in all
   * @param partitions what it has committed
   */
  public record Group(
      String group, String type, String state, long lagRecords, List<GroupPosition> partitions) {
    public Group {
      partitions = List.copyOf(partitions);
    }
  }

  /**
   * @param topic of the partition
   * @param partition its number
   * @param committedOffset the topic offset to be read next
   * @param endOffset where the partition ends
   * @param lagRecords how many are in between
   */
  public record GroupPosition(
      String topic, int partition, long committedOffset, long endOffset, long lagRecords) {}

  void print(PrintWriter out) {
    line(
        out,
        "slot",
        slot == null
            ? "missing"
            : slot.name()
                + (slot.active() ? ", active" : ", not in use")
                + ", confirmed "
                + slot.confirmedLsn()
                + ", lag "
                + slot.lagBytes()
                + " B");
    line(
        out,
        "watermark",
        watermark == null
            ? "no relay has run"
            : watermark.at() + ", LSN " + watermark.lsn() + ", snapshot " + watermark.snapshot());
    line(
        out,
        "audited",
        audit == null ? "no relay has run" : audit.at() + ", snapshot " + audit.snapshot());
    out.println();
    TextTable ends = new TextTable("TOPIC", "PARTITION", "BEGINNING", "END");
    topics.forEach(
        each -> ends.row(each.topic, each.partition, each.beginningOffset, each.endOffset));
    ends.print(out);
    out.println();
    TextTable read =
        new TextTable("GROUP", "TYPE", "STATE", "TOPIC", "PARTITION", "COMMITTED", "END", "LAG");
    for (Group group : groups) {
      read.row(group.group, group.type, group.state, "all", null, null, null, group.lagRecords);
      for (GroupPosition each : group.partitions) {
        read.row(
            group.group,
            "",
            "",
            each.topic,
            each.partition,
            each.committedOffset,
            each.endOffset,
            each.lagRecords);
      }
    }
    read.print(out);
    out.flush();
  }

  private static void line(PrintWriter out, String name, String text) {
    out.println(String.format(Locale.ROOT, "%-11s", name) + TextTable.printable(text));
  }
}

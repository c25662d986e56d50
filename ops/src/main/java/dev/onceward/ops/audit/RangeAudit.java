package dev.onceward.ops.audit;

import dev.onceward.db.relay.RelayProgress;
import dev.onceward.event.route.Partitioner;
import dev.onceward.ops.audit.AuditStore.Described;
import dev.onceward.ops.audit.Finding.Kind;
import dev.onceward.ops.kafka.EventTopics;
import dev.onceward.ops.kafka.PartitionScan;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/** Compares rows with records, portion by portion. Confined to one thread. */
final class RangeAudit {
  /** Absent events are judged together. */
  private static final int JUDGED = 1_000;

  private final AuditScope scope;
  private final RelayProgress relay;
  private final EventTopics topics;
  private final AuditStore store;
  private final Consumer<byte[], byte[]> consumer;
  private final AuditTally tally;
  private final int mostRows;

  /**
   * Prepares the comparison.
   *
   * @param mostRows of one portion
   */
  RangeAudit(
      AuditScope scope,
      RelayProgress relay,
      EventTopics topics,
      AuditStore store,
      Consumer<byte[], byte[]> consumer,
      AuditTally tally,
      int mostRows) {
    this.scope = scope;
    this.relay = relay;
    this.topics = topics;
    this.store = store;
    this.consumer = consumer;
    this.tally = tally;
    this.mostRows = mostRows;
  }

  /** Shows how far the reading of Kafka is. */
  interface Watcher {
    void begins(long records);

    void read(long records);
  }

  void run(Watcher watcher) throws SQLException {
    boolean commitTimes = store.keepsCommitTimes();
    UUID firstId = scope.firstId();
    OutboxPortion portion = new OutboxPortion(mostRows);
    boolean more = true;
    while (more) {
      store.read(portion, scope, firstId, relay.audited(), commitTimes, mostRows);
      more = portion.isFull();
      UUID endId = more ? next(portion.id(portion.size() - 1)) : scope.endId();
      compare(portion, firstId, endId, watcher);
      firstId = endId;
      portion = new OutboxPortion(mostRows, portion);
    }
  }

  private void compare(OutboxPortion portion, UUID firstId, UUID endId, Watcher watcher)
      throws SQLException {
    List<TopicPartition> partitions =
        topics.partitions(consumer, relay.pinnedPartitions().keySet());
    // After the rows were read: what was audited then lies before these ends.
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions);
    PartitionScan scan = new PartitionScan(consumer);
    Map<TopicPartition, Long> starts = scan.startsSince(since(partitions, firstId), ends);
    starts.replaceAll((p, start) -> Math.max(start, beginnings.getOrDefault(p, 0L)));
    watcher.begins(records(starts, ends));
    RecordAudit records =
        new RecordAudit(
            scope,
            portion,
            firstId,
            endId,
            topics.names(),
            store,
            tally,
            topics.partitioner() == Partitioner.AGGREGATE);
    scan.<SQLException>read(
        starts,
        ends,
        () -> true,
        record -> {
          records.visit(record);
          watcher.read(1);
        });
    records.lookUp();
    judge(portion, partitions, new FirstRecords(scan, beginnings, ends));
  }

  private Map<TopicPartition, Long> since(List<TopicPartition> partitions, UUID firstId) {
    long millis =
        Math.max(0, (firstId.getMostSignificantBits() >>> 16) - scope.clocksApart().toMillis());
    Map<TopicPartition, Long> since = new HashMap<>();
    partitions.forEach(partition -> since.put(partition, millis));
    return since;
  }

  private static long records(Map<TopicPartition, Long> starts, Map<TopicPartition, Long> ends) {
    long records = 0;
    for (Map.Entry<TopicPartition, Long> start : starts.entrySet()) {
      records += Math.max(0, ends.getOrDefault(start.getKey(), 0L) - start.getValue());
    }
    return records;
  }

  private void judge(OutboxPortion portion, List<TopicPartition> partitions, FirstRecords first)
      throws SQLException {
    long overdueMillis = relay.now().minus(scope.stuckAfter()).toEpochMilli();
    List<UUID> absent = new ArrayList<>();
    List<UUID> stuck = new ArrayList<>();
    for (int row = 0; row < portion.size(); row++) {
      if (portion.has(row, OutboxPortion.CARRIED)) {
        continue;
      }
      tally.rows++;
      if (portion.has(row, OutboxPortion.ORIGINAL | OutboxPortion.SENT_AGAIN)) {
        tally.inKafka++;
      } else if (portion.has(row, OutboxPortion.PARKED)) {
        tally.parked++;
        if (portion.has(row, OutboxPortion.PARKED_LONG)) {
          stuck.add(portion.id(row));
        }
      } else if (portion.has(row, OutboxPortion.DEAD_LETTER)) {
        tally.deadLetters++;
      } else if (portion.has(row, OutboxPortion.DISCARDED)) {
        tally.discarded++;
      } else if (portion.has(row, OutboxPortion.AUDITED)) {
        absent.add(portion.id(row));
      } else {
        tally.pending++;
        if (portion.startedMillis(row) < overdueMillis) {
          stuck.add(portion.id(row));
        }
      }
      if (absent.size() == JUDGED) {
        judgeAbsent(absent, partitions, first);
      }
      if (stuck.size() == JUDGED) {
        judgeStuck(stuck);
      }
    }
    judgeAbsent(absent, partitions, first);
    judgeStuck(stuck);
  }

  private void judgeAbsent(List<UUID> absent, List<TopicPartition> partitions, FirstRecords first)
      throws SQLException {
    if (absent.isEmpty()) {
      return;
    }
    for (Described event : store.describe(absent)) {
      String topic = topics.names().topicOf(event.eventType(), event.aggregateType());
      int present = (int) partitions.stream().filter(p -> p.topic().equals(topic)).count();
      if (present == 0) {
        tally.add(finding(Kind.MISSING, event, "audited, and the topic " + topic + " is gone"));
        continue;
      }
      int count = relay.pinnedPartitions().getOrDefault(topic, present);
      String key =
          topics.partitioner().keyOf(event.id(), event.aggregateType(), event.aggregateId());
      TopicPartition partition = new TopicPartition(topic, Partitioner.partitionOf(key, count));
      Instant written = Instant.ofEpochMilli(event.id().getMostSignificantBits() >>> 16);
      tally.add(
          first.mayBeGone(partition, written)
              ? finding(Kind.EXPIRED, event, "older than the first record of " + partition)
              : finding(Kind.MISSING, event, "audited, and not in " + partition));
    }
    absent.clear();
  }

  private void judgeStuck(List<UUID> stuck) throws SQLException {
    if (stuck.isEmpty()) {
      return;
    }
    for (Described event : store.describe(stuck)) {
      tally.add(finding(Kind.STUCK, event, "the event has not left the outbox"));
    }
    stuck.clear();
  }

  private static Finding finding(Kind kind, Described event, String what) {
    return new Finding(kind, event.id(), null, event.workspaceId(), event.eventType(), what);
  }

  private static UUID next(UUID id) {
    long low = id.getLeastSignificantBits() + 1;
    return new UUID(id.getMostSignificantBits() + (low == 0 ? 1 : 0), low);
  }
}

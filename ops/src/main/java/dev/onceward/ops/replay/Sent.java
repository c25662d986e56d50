package dev.onceward.ops.replay;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;

/**
 * How a page of records ended; each was acknowledged or refused. Immutable.
 *
 * @param ends partition → offset behind the last acknowledged one
 * @param refusals those that Kafka will never take
 */
record Sent(Map<TopicPartition, Long> ends, List<Refusal> refusals) {

  /**
   * A record that Kafka will never take.
   *
   * @param eventId whose
   * @param reason why not, without its content
   */
  record Refusal(UUID eventId, String reason) {}

  Sent {
    ends = Map.copyOf(ends);
    refusals = List.copyOf(refusals);
  }
}

package dev.onceward.db.relay;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a relay remembers between its terms, as it stands in {@code relay_state}. Immutable.
 *
 * @param systemIdentifier of the server that it was written for, or null before the first term
 * @param deliveredLsn the log position up to which everything is delivered, or null
 * @param auditedSnapshot every transaction that it sees is proven to be in Kafka, or null
 * @param kafkaPositions from where Kafka holds what the audited snapshot does not see, as JSON, or
 *     null
 * @param slotGap whether the slot was made and what it will not bring is not known to be in Kafka
 * @param topics those whose partition counts are pinned
 */
public record RelayState(
    @Nullable Long systemIdentifier,
    @Nullable String deliveredLsn,
    @Nullable String auditedSnapshot,
    @Nullable String kafkaPositions,
    boolean slotGap,
    Set<String> topics) {
  public RelayState {
    topics = Set.copyOf(topics);
  }
}

package dev.onceward.relay.park;

import dev.onceward.relay.publish.Acknowledged;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Where rows have gone. Immutable.
 *
 * @param acknowledged those that Kafka has
 * @param parked those that stand in {@code parked_events}
 */
public record Dispatched(List<Acknowledged> acknowledged, Set<UUID> parked) {}

package dev.onceward.db.relay;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A parked event that its claimer may send. Immutable.
 *
 * @param event the event
 * @param order its place in the order of parking
 * @param attempt the number of this attempt, from 1
 * @param replayId the operator's replay that took it out of the dead letters, or null
 */
public record LeasedEvent(ParkedEvent event, long order, int attempt, @Nullable UUID replayId) {}

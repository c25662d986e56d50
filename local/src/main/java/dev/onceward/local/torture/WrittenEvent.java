package dev.onceward.local.torture;

import java.util.UUID;

/**
 * An event that a writer is about to write. Immutable.
 *
 * @param id of the event
 * @param aggregate its aggregate, unique over all workspaces
 * @param sequence its place among the events of its aggregate
 */
public record WrittenEvent(UUID id, String aggregate, long sequence) {}

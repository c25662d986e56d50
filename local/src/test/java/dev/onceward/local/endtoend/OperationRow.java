package dev.onceward.local.endtoend;

import java.util.UUID;

/** One operation as the database has it. */
record OperationRow(UUID id, UUID eventId, String externalId, String state, int attempt) {}

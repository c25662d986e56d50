package dev.onceward.local.torture;

import java.util.UUID;

/**
 * An operation as the database has it. Immutable.
 *
 * @param id of the operation
 * @param eventId of its newest event
 * @param storeId what it is about
 * @param request the external id of its store, which is its request's idempotency key
 * @param state in the database's word
 */
public record OperationFacts(UUID id, UUID eventId, String storeId, String request, String state) {}

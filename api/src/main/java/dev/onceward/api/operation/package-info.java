/**
 * What clients see of operations, the domain tasks: single ones, lists, and waiting for an end.
 *
 * <p>{@link dev.onceward.api.operation.OperationWaiter} serves all waiting clients with one loop
 * and one query per workspace and turn; a waiting client holds neither a thread nor a connection.
 * Failure: when the database fails during a turn the waiting clients get its problem answer; when
 * the process stops they get the state that was seen last.
 */
@NullMarked
package dev.onceward.api.operation;

import org.jspecify.annotations.NullMarked;

/**
 * Takes runs of flows on to their next stop, in the transaction that ends the operation.
 *
 * <p>Each step names the state that it expects of the run. Failure: a run that is elsewhere by then
 * stays as it is, and the operation succeeds with the outcome {@code superseded}.
 */
@NullMarked
package dev.onceward.worker.flow;

import org.jspecify.annotations.NullMarked;

/**
 * Flows: what a run goes through, its runs, and the to-dos that they wait for.
 *
 * <p>The tables {@code runs} and {@code todos} are authoritative. A run is started, or its to-do
 * resolved, in one transaction with an operation {@code advance_run} and its event; a worker takes
 * the run on to its next stop in the transaction that ends that operation. All events of a run have
 * the run as their aggregate, so they keep their order.
 *
 * <pre>
 *   running --worker--> waiting --to-do resolved, worker--> ended
 *      \----worker--------------------------------------------^
 * </pre>
 *
 * <p>Every change of state names the state it expects: what finds another changes nothing.
 */
@NullMarked
package dev.onceward.db.flow;

import org.jspecify.annotations.NullMarked;

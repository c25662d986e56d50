/**
 * A model of claim, lease and finish, explored in every state.
 *
 * <p>One operation, two workers in three threads (two of them share a process, and so the owner's
 * name in leases), and everything that can come in between: leases that expire at any moment, a
 * worker killed or asked to stop, a redelivery, a COMMIT whose answer is lost, a person who cancels
 * or retries, a platform that accepts, refuses, is away, or accepts and is not heard. A thread that
 * takes no step stands still, so each stall is in it.
 *
 * <table>
 * <caption>Which step is which statement</caption>
 * <tr><th>step</th><th>code</th></tr>
 * <tr><td>claimFresh of event</td><td>{@code TaskClaimer.claim}, {@code OperationClaims.tryClaim}
 *   without what an expired lease left</td></tr>
 * <tr><td>claimFresh finds no row; acknowledges; QUEUED</td><td>{@code ClaimReasons.of}, a second
 *   statement, and {@code TaskProcessor.settle}</td></tr>
 * <tr><td>OPERATION_NOT_FOUND</td><td>{@code TaskDelivery.notVisible}</td></tr>
 * <tr><td>DueTaskLoop</td><td>{@code onceward.due_operations}, {@code DueTaskTaker.take}, {@code
 *   TaskProcessor.takeUp}</td></tr>
 * <tr><td>buryExpired</td><td>{@code TaskProcessor.bury}, {@code OperationClaims.buryExpired}</td></tr>
 * <tr><td>renew finds no row</td><td>{@code LeaseRenewer.runOnce}, {@code OperationClaims.renew}; one
 *   that finds it changes nothing here, where a lease may expire at any moment</td></tr>
 * <tr><td>the platform …</td><td>{@code HandlerRunner} and {@code PlatformClient}, whose key is {@code
 *   coalesce(effect_key, event_id)}</td></tr>
 * <tr><td>writes the end</td><td>{@code TaskFinisher.write}, {@code OperationFinishes}, {@code
 *   OperationClaims.handBack}</td></tr>
 * <tr><td>is asked to stop</td><td>{@code TaskProcessor.handBack}</td></tr>
 * <tr><td>a person retries, cancels</td><td>{@code OperationControl}</td></tr>
 * </table>
 */
@NullMarked
package dev.onceward.worker.model;

import org.jspecify.annotations.NullMarked;

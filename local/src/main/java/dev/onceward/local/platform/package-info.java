/**
 * A stand-in for the shop platform that workers call, as a real HTTP server that keeps books.
 *
 * <p>It is what "one effect" is measured against. Every request that reaches it is a <em>call</em>;
 * every change that it would make on a real platform is an <em>effect</em>. Both are booked under
 * the request's {@code Idempotency-Key}, with the time and the fate of each call, so that a test
 * can say not only how many extra calls there were but which fault explains each of them.
 *
 * <ul>
 *   <li>The effect is booked before the answer is written. A caller that dies while it waits does
 *       not undo it, as on a real platform.
 *   <li>With key support, a key has at most one effect, however many calls arrive and in whatever
 *       order; later calls get the first call's answer. Without it each call is an effect.
 *   <li>A read (product pages) is a call and never an effect; its key stands for all its pages.
 *   <li>A lost answer is an effect whose connection is closed without a byte of response. A failed
 *       call is answered with a status from 429 or 5xx and has no effect.
 * </ul>
 *
 * <p>{@link dev.onceward.local.platform.PlatformLedger} is the authority for all counts; the HTTP
 * face only reads it. Credentials are neither stored nor logged.
 */
@NullMarked
package dev.onceward.local.platform;

import org.jspecify.annotations.NullMarked;

/**
 * Inbound hooks and their secrets. The table {@code hooks} is authoritative.
 *
 * <p>A signature can only be checked with the secret itself, so secrets are kept, encrypted and
 * bound to their hook. After a rotation the secret before counts until it expires, at most two at a
 * time. Failure: a hook whose secret cannot be decrypted (a credential key is missing) refuses its
 * deliveries with an error, never with an acceptance.
 */
@NullMarked
package dev.onceward.db.hook;

import org.jspecify.annotations.NullMarked;

/**
 * Which addresses a worker may call that somebody else has named: those of the public internet.
 * What is not known to be public is not public. A name is resolved once and the address that was
 * judged is the one that is called, or a second answer of the name service would be a way around.
 *
 * <p>Failure: an address that is refused is an ordinary result; the caller says what follows.
 */
@NullMarked
package dev.onceward.worker.outbound;

import org.jspecify.annotations.NullMarked;

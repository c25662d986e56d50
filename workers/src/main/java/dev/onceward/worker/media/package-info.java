/**
 * The handlers of media: the inspection of uploads, and the transfer of materials from elsewhere.
 *
 * <p>An inspection believes nothing that was declared: size and SHA-256 are counted anew, the type
 * is told by the first bytes (Apache Tika's table, without its parsers), and the size of an image
 * is read from its header alone, so that an image which unpacks to gigabytes costs nothing. A
 * declaration that does not fit is a finding, not a failure: the operation succeeds and the media
 * is {@code rejected} with the reason.
 *
 * <p>A transfer calls addresses that strangers wrote, from inside our network. So a host is
 * resolved once, every address of it must be public unless the configuration names host and port,
 * and the connection goes to exactly the address that was checked; each redirect is a new target
 * that is checked alike. No credentials, cookies or trace ids go along, and no body is unpacked.
 *
 * <p>Between network and database the bytes lie in a nameless temporary file. They are written in
 * the transaction that ends the operation, under the lock of the transfer's row: whatever is
 * retried, a transfer has one media.
 *
 * <p>Failure: a refused address, a bad redirect, a 4xx or too many bytes are permanent; 408, 429,
 * 5xx, a time-out, a lost connection and a name that cannot be resolved are retriable.
 */
@NullMarked
package dev.onceward.worker.media;

import org.jspecify.annotations.NullMarked;

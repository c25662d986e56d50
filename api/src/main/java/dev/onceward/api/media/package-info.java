/**
 * Media and material transfers: register an upload, send its bytes, complete it; have a material
 * fetched from elsewhere; read all of them.
 *
 * <p>Registering is an idempotent write that starts nothing. Sending bytes is a plain {@code PUT}:
 * the same bytes again change nothing, other bytes replace the earlier ones until the upload is
 * completed. Completing is a scenario: it closes the upload and asks a worker for the inspection,
 * once per object. Only a media that passed the inspection can be read back.
 *
 * <p>Bytes are first received into a temporary file and then written in one transaction, so that a
 * slow client holds no database connection and a broken one leaves nothing; they are read back
 * chunk by chunk, each in a transaction of its own. Whatever was uploaded, it is sent as an
 * attachment that no browser interprets.
 *
 * <p>A source URL is stored in the clear and shown, so one that carries a user, a password or a
 * signature is refused. Whether its address may be fetched at all is the worker's to judge, when it
 * resolves it.
 */
@NullMarked
package dev.onceward.api.media;

import org.jspecify.annotations.NullMarked;

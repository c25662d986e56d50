/**
 * Media, their bytes, and the transfers that fetch materials from elsewhere.
 *
 * <p>The row in {@code media} is authoritative for what a file is and how far it has come ({@link
 * dev.onceward.db.media.MediaStatus}); {@code media_chunks} holds its bytes in pieces of at most
 * {@link dev.onceward.db.media.MediaContentStore#CHUNK_BYTES}, so that neither API nor workers need
 * room for a whole file: between the network and the database lies a {@link
 * dev.onceward.db.media.SpooledContent}, a temporary file without a name.
 *
 * <p>Invariants: bytes are replaced only under the lock of their row and only until the upload is
 * completed. Each step to the next status is one statement that names the status it expects, so
 * that of two who take it one finds nothing left to do. A transfer has at most one media.
 */
@NullMarked
package dev.onceward.db.media;

import org.jspecify.annotations.NullMarked;

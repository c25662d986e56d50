/** Keeps secrets out of what is stored in the clear, and encrypts those that must be kept. */
@NullMarked
package dev.onceward.db.secret;

import org.jspecify.annotations.NullMarked;

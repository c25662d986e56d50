/** What the relay remembers between its terms. Written by the leading relay alone. */
@NullMarked
package dev.onceward.db.relay;

import org.jspecify.annotations.NullMarked;

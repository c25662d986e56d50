/** The API against a real PostgreSQL, over real HTTP. */
@NullMarked
package dev.onceward.api;

import org.jspecify.annotations.NullMarked;

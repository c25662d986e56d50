/**
 * A small client of the API for the demo, the measurements and the end-to-end tests: plain HTTP, no
 * retries of its own, answers as they came.
 *
 * <p>Failure: an answer of any status is a value; only a connection that breaks throws.
 */
@NullMarked
package dev.onceward.local.client;

import org.jspecify.annotations.NullMarked;

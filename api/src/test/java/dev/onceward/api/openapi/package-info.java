/** Holds the service and its description to each other. */
@NullMarked
package dev.onceward.api.openapi;

import org.jspecify.annotations.NullMarked;

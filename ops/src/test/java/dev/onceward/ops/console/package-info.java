/** Tests of the web console: over HTTP, and in a real browser. */
@org.jspecify.annotations.NullMarked
package dev.onceward.ops.console;

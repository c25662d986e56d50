/** Tests of sessions without a browser. */
@org.jspecify.annotations.NullMarked
package dev.onceward.ops.console.session;

/**
 * The console's HTTP: requests come in as plain values and answers go out as plain values. Nothing
 * else in module {@code ops} knows the HTTP library.
 *
 * <p>Every answer, refusals of the server included, carries the headers that keep a page to itself:
 * a content security policy without inline scripts and styles, {@code nosniff}, no referrer for
 * other sites. What may be kept by a browser says so itself; everything else is {@code no-store}.
 *
 * <p>Failure: a handler that throws is the server's problem page and a log line, never a stack
 * trace on the screen; a form of more than 64 KiB is 413.
 */
@NullMarked
package dev.onceward.ops.console.http;

import org.jspecify.annotations.NullMarked;

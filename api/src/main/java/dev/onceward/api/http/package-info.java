/**
 * HTTP, and the only place that knows Javalin and Jetty: routes, authentication, request ids,
 * bodies, problem answers, health and metrics.
 *
 * <p>The rest of the API sees {@link dev.onceward.api.http.Request}, {@link
 * dev.onceward.api.http.Answer} and {@link dev.onceward.api.http.Route}, plain values. {@code
 * Exchange} takes every request through the same steps: ids, access key, {@code Accept}, body,
 * handler, answer. Failure: whatever is thrown becomes a problem answer (RFC 9457) through one
 * mapping, {@code Failures}; the server's own refusals (a malformed request line, too large
 * headers) get the same form. A client never sees a stack trace or the database's words.
 *
 * <p>Unknown ids, ids of another workspace and unknown paths are indistinguishable.
 */
@NullMarked
package dev.onceward.api.http;

import org.jspecify.annotations.NullMarked;

package dev.onceward.api.http;

import org.jspecify.annotations.Nullable;

/**
 * What connects a request with its events, log lines and traces. Immutable.
 *
 * @param requestId names this one request
 * @param correlationId names the whole undertaking of the client; the request id when none was sent
 * @param traceparent W3C trace context as it came, null when absent or malformed
 */
public record RequestIds(String requestId, String correlationId, @Nullable String traceparent) {}

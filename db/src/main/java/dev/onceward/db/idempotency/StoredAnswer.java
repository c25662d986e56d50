package dev.onceward.db.idempotency;

/**
 * An answer that is given again.
 *
 * @param status HTTP status
 * @param headers a JSON object of header name to value
 * @param body the body's text
 */
public record StoredAnswer(int status, String headers, String body) {}

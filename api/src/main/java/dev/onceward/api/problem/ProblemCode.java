package dev.onceward.api.problem;

import java.util.Locale;

/**
 * The stable codes of problem answers, each with its HTTP status.
 *
 * <p>Clients decide by the code. A code is never renamed and never changes its status; new ones may
 * be added.
 */
public enum ProblemCode {
  /** The request line, target or a header breaks HTTP itself. */
  REQUEST_INVALID(400, "Malformed request"),
  /** A header the API reads has an illegal value; {@code field} is the header's name. */
  HEADER_INVALID(400, "Header not valid"),
  /** A query parameter is unknown, repeated or has an illegal value. */
  PARAMETER_INVALID(400, "Query parameter not valid"),
  /** A write came without {@code Idempotency-Key}. */
  IDEMPOTENCY_KEY_REQUIRED(400, "Idempotency-Key required"),
  /** {@code Idempotency-Key} is malformed or was sent more than once. */
  IDEMPOTENCY_KEY_INVALID(400, "Idempotency-Key not valid"),
  /** The call needs a JSON body and none came. */
  BODY_REQUIRED(400, "Body required"),
  /** The body is no JSON text in UTF-8. */
  JSON_MALFORMED(400, "Body is not JSON"),
  /** An object of the body names one member twice. */
  JSON_DUPLICATE_MEMBER(400, "Duplicate member name"),
  /** A string of the body holds half a surrogate pair. */
  JSON_UNPAIRED_SURROGATE(400, "Unpaired surrogate"),
  /** A string of the body holds U+0000, which PostgreSQL cannot store as text. */
  JSON_NUL_CHARACTER(400, "NUL character"),
  /** The body is nested deeper than the limit. */
  JSON_TOO_DEEP(400, "Body nested too deep"),
  /** A member the call needs is missing. */
  FIELD_REQUIRED(400, "Field required"),
  /** A member has the wrong type or breaks a rule. */
  FIELD_INVALID(400, "Field not valid"),
  /** A member the call does not know. */
  FIELD_UNKNOWN(400, "Field unknown"),
  /** The answer would have to store what looks like a secret. */
  SECRET_REFUSED(400, "Secret in a field that is stored and shown"),
  /** No access key, a malformed or unknown one, one that is no longer valid, or a wrong secret. */
  UNAUTHENTICATED(401, "Access key required"),
  /** No enabled hook of this address has a secret that makes the delivery's signature. */
  HOOK_SIGNATURE_INVALID(401, "Delivery not authenticated"),
  /** The call is for a role that the caller's user does not have. */
  ROLE_REQUIRED(403, "Role required"),
  /** An installation administrator is changed on the command line only. */
  USER_PROTECTED(403, "User protected"),
  /** No such resource in the caller's workspace. */
  NOT_FOUND(404, "Not found"),
  /** The path exists, but not with this method; see {@code Allow}. */
  METHOD_NOT_ALLOWED(405, "Method not allowed"),
  /** The client accepts no JSON. */
  NOT_ACCEPTABLE(406, "Not acceptable"),
  /** The body came too slowly. */
  REQUEST_TIMEOUT(408, "Request came too slowly"),
  /** The key was used before for a request with another fingerprint. */
  IDEMPOTENCY_KEY_REUSED(409, "Idempotency-Key used for another request"),
  /** A request with the same key is executing right now. */
  IDEMPOTENCY_REQUEST_IN_PROGRESS(409, "Request in progress"),
  /** Nobody could administer the workspace any more. */
  LAST_ADMINISTRATOR(409, "Last administrator"),
  /** The user is disabled. */
  USER_DISABLED(409, "User disabled"),
  /** The access key was revoked or replaced before. */
  ACCESS_KEY_NOT_ACTIVE(409, "Access key not active"),
  /** The workspace already has a store with this platform and external id. */
  STORE_EXISTS(409, "Store exists"),
  /** The operation is neither {@code failed} nor {@code dead}. */
  OPERATION_NOT_RETRIABLE(409, "Operation cannot be retried"),
  /** The operation's event left the outbox before it failed, so nobody knows what it asked for. */
  OPERATION_EVENT_GONE(409, "Event of the operation is gone"),
  /** The operation is neither {@code queued} nor {@code waiting_retry}. */
  OPERATION_NOT_CANCELLABLE(409, "Operation cannot be cancelled"),
  /** The draft has a publication that is active or has succeeded. */
  PUBLICATION_EXISTS(409, "Publication exists"),
  /** The store has a product sync that is active. */
  SYNC_ALREADY_ACTIVE(409, "Sync already active"),
  /** The upload cannot be completed: no content came yet. */
  MEDIA_CONTENT_MISSING(409, "Content missing"),
  /** The upload was completed before; its content stays as it is. */
  MEDIA_ALREADY_COMPLETED(409, "Upload already completed"),
  /** The content cannot be read: it was not inspected yet, or was rejected. */
  MEDIA_NOT_READY(409, "Media not ready"),
  /** The resource is at another revision than {@code If-Match} names. */
  REVISION_STALE(412, "Revision is not the current one"),
  /** The key's request is being processed; the same request may be sent again soon. */
  RECEIPT_BUSY(409, "Key is being processed"),
  /** The to-do is resolved already. */
  TODO_NOT_WAITING(409, "To-do does not wait"),
  /** The body is larger than the limit. */
  BODY_TOO_LARGE(413, "Body too large"),
  /** The request target is longer than the server reads. */
  TARGET_TOO_LONG(414, "Request target too long"),
  /** The body is not {@code application/json}. */
  UNSUPPORTED_MEDIA_TYPE(415, "Unsupported media type"),
  /** The call replaces a resource and needs {@code If-Match} with the revision it has seen. */
  IF_MATCH_REQUIRED(428, "If-Match required"),
  /** The key was used for a request or delivery with other content. */
  RECEIPT_MISMATCH(422, "Key used for something else"),
  /** The access key sent too many requests. */
  RATE_LIMITED(429, "Too many requests"),
  /** The header section is larger than the server reads. */
  HEADERS_TOO_LARGE(431, "Headers too large"),
  /** A defect on our side; the log has the reason under the request id. */
  INTERNAL_ERROR(500, "Internal error"),
  /** PostgreSQL cannot be reached or does not take the write. */
  DATABASE_UNAVAILABLE(503, "Database not available"),
  /** PostgreSQL did not finish within the time limit; nothing was stored. */
  DATABASE_TIMEOUT(503, "Database took too long"),
  /** All connections are in use. */
  OVERLOADED(503, "Too many requests at once"),
  /** A stored fingerprint was made with a key that is no longer configured. */
  FINGERPRINT_KEY_MISSING(503, "Fingerprint key not configured"),
  /** The server is shutting down. */
  SHUTTING_DOWN(503, "Shutting down");

  private final int status;
  private final String title;

  ProblemCode(int status, String title) {
    this.status = status;
    this.title = title;
  }

  /** The HTTP status of every answer with this code. */
  public int status() {
    return status;
  }

  /** A short English summary, the same for every answer with this code. */
  public String title() {
    return title;
  }

  /** The problem type of RFC 9457: a name, not an address. */
  public String type() {
    return "urn:onceward:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}

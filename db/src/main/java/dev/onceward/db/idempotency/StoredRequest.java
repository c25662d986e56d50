package dev.onceward.db.idempotency;

/**
 * A request that was answered.
 *
 * @param fingerprint HMAC-SHA-256 of the request; compare it in constant time
 * @param fingerprintKeyId the key that made it
 */
@SuppressWarnings(
    "ArrayRecordComponent") // a value to be compared by MessageDigest.isEqual, not by equals
public record StoredRequest(byte[] fingerprint, String fingerprintKeyId, StoredAnswer answer) {}

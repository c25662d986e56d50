package dev.onceward.api.idempotent;

import dev.onceward.api.http.Request;
import dev.onceward.api.json.CanonicalJson;
import dev.onceward.api.json.JsonValue;
import dev.onceward.db.receipt.Fingerprint;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What makes two requests the same: method, normalised path and query, canonical body, and the
 * headers that change the meaning. Immutable.
 */
public final class RequestFingerprint implements Fingerprint {
  private final FingerprintKeys keys;
  private final String[] parts;

  /** The fingerprint of a request whose body was read as JSON. */
  public RequestFingerprint(FingerprintKeys keys, Request request, JsonValue body) {
    this.keys = keys;
    this.parts =
        new String[] {
          request.method(),
          request.path(),
          request.query() == null ? "" : request.query(),
          CanonicalJson.write(body),
          contentType(request.header("content-type")),
          String.join(",", request.header("if-match"))
        };
  }

  @Override
  public String currentKeyId() {
    return keys.currentId();
  }

  @Override
  public byte @Nullable [] under(String keyId) {
    return keys.hmac(keyId, parts);
  }

  /** The media type without parameters: JSON is UTF-8, whether said or not (RFC 8259 §8.1). */
  private static String contentType(List<String> values) {
    return String.join(",", values).toLowerCase(Locale.ROOT).split(";", 2)[0].strip();
  }
}

package dev.onceward.api.http;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.api.problem.ProblemException;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;

/**
 * A token bucket per access key and per hook, in this instance alone. Thread-safe.
 *
 * <p>It is asked before the database is and before a body is read. An access key is known by a hash
 * of the whole key: who knows no key's secret can use up nobody's bucket, and a client that goes on
 * with a refused key is held back too. A hook is known by its address alone, which is all that can
 * be told of a delivery before its signature; an address that exists nowhere is held back alike.
 * Memory is bounded: a bucket that would be full again is forgotten, and so is the least used one
 * beyond {@value #MAX_BUCKETS}.
 */
public final class RateLimit {
  static final int MAX_BUCKETS = 100_000;
  private static final int LONGEST_NAME = 200;

  private final int perSecond;
  private final int burst;
  private final Cache<ByteBuffer, Bucket> buckets;

  /**
   * @param perSecond requests that one key or hook may get for ever
   * @param burst requests that one key or hook may get at once after a pause
   */
  public RateLimit(int perSecond, int burst) {
    this.perSecond = perSecond;
    this.burst = burst;
    this.buckets =
        Caffeine.newBuilder()
            .maximumSize(MAX_BUCKETS)
            .expireAfterAccess(Duration.ofSeconds(1 + burst / perSecond))
            .build();
  }

  /**
   * Takes a token of an access key.
   *
   * @param authorization the values of the header; a malformed one is left to authentication
   * @throws ProblemException {@code RATE_LIMITED} with {@code Retry-After}
   */
  void admitKey(List<String> authorization) {
    if (authorization.size() == 1) {
      admit("An access key may send ", authorization.get(0));
    }
  }

  /**
   * Takes a token of a hook.
   *
   * @param path the hook's address
   * @throws ProblemException {@code RATE_LIMITED} with {@code Retry-After}
   */
  void admitDelivery(String path) {
    admit("A hook takes ", path);
  }

  private void admit(String whoDoes, String name) {
    if (name.length() > LONGEST_NAME) {
      return;
    }
    Bucket bucket = buckets.get(hash(name), key -> fullBucket());
    ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
    if (!probe.isConsumed()) {
      throw Problem.of(
              ProblemCode.RATE_LIMITED,
              whoDoes
                  + perSecond
                  + " requests per second, and "
                  + burst
                  + " at once after a pause; nothing was done.")
          .retryAfter(Duration.ofNanos(probe.getNanosToWaitForRefill()))
          .exception();
    }
  }

  private Bucket fullBucket() {
    return Bucket.builder()
        .addLimit(limit -> limit.capacity(burst).refillGreedy(perSecond, Duration.ofSeconds(1)))
        .build();
  }

  private static ByteBuffer hash(String key) {
    try {
      return ByteBuffer.wrap(
          MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}

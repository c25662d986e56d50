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
 * A token bucket per access key, in this instance alone. Thread-safe.
 *
 * <p>It is asked before the database is, by a hash of the whole key: who knows no key's secret can
 * use up nobody's bucket, and a client that goes on with a refused key is held back too. Memory is
 * bounded: a bucket that would be full again is forgotten, and so is the least used one beyond
 * {@value #MAX_BUCKETS}.
 */
public final class RateLimit {
  static final int MAX_BUCKETS = 100_000;
  private static final int LONGEST_KEY = 200;

  private final int perSecond;
  private final int burst;
  private final Cache<ByteBuffer, Bucket> buckets;

  /**
   * @param perSecond requests that one key may send for ever
   * @param burst requests that one key may send at once after a pause
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
   * Takes a token.
   *
   * @param authorization the values of the header; a malformed one is left to authentication
   * @throws ProblemException {@code RATE_LIMITED} with {@code Retry-After}
   */
  void admit(List<String> authorization) {
    if (authorization.size() != 1 || authorization.get(0).length() > LONGEST_KEY) {
      return;
    }
    Bucket bucket = buckets.get(hash(authorization.get(0)), key -> fullBucket());
    ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
    if (!probe.isConsumed()) {
      throw Problem.of(
              ProblemCode.RATE_LIMITED,
              "An access key may send "
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

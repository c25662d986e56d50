package dev.onceward.api;

import dev.onceward.api.cleanup.CleanUpConfig;
import dev.onceward.api.idempotent.FingerprintKeys;
import dev.onceward.db.secret.CredentialCipher;
import dev.onceward.process.NamedKeys;
import dev.onceward.process.Secret;
import dev.onceward.process.Settings;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the API is told at its start. Immutable; prints no secret.
 *
 * @param databaseUrl JDBC URL of PostgreSQL, without user and password
 * @param databaseUser a role that row-level security binds, {@code onceward_app}
 * @param databasePassword of that role
 * @param host the address to listen on
 * @param port 0 takes a free one
 * @param poolSize connections to PostgreSQL
 * @param poolTimeout how long a request waits for a free connection before it is refused with 503
 * @param poolQueue how many requests may wait for a connection; more get 503 at once
 * @param requestTimeout how long one request may take, its body and its answer included
 * @param rateLimitPerSecond requests that one access key or hook may get for ever
 * @param rateLimitBurst requests that one access key or hook may get at once after a pause
 * @param tracingEndpoint OTLP over HTTP of a collector, null to record no spans
 * @param statementTimeout how long one statement may take before PostgreSQL cancels it
 * @param maxBodyBytes the largest body read
 * @param maxMediaBytes the largest file taken
 * @param idempotencyRetention how long an answer is given again; at least a day
 * @param accessKeyOverlap how long a rotated access key goes on working, unless the call says
 * @param fingerprintKeys for fingerprints of requests
 * @param credentialCipher for credentials of stores and secrets of hooks
 * @param cleanUp of rows whose time is over
 */
public record ApiConfig(
    String databaseUrl,
    String databaseUser,
    Secret databasePassword,
    String host,
    int port,
    int poolSize,
    Duration poolTimeout,
    int poolQueue,
    Duration requestTimeout,
    int rateLimitPerSecond,
    int rateLimitBurst,
    @Nullable String tracingEndpoint,
    Duration statementTimeout,
    int maxBodyBytes,
    int maxMediaBytes,
    Duration idempotencyRetention,
    Duration accessKeyOverlap,
    FingerprintKeys fingerprintKeys,
    CredentialCipher credentialCipher,
    CleanUpConfig cleanUp) {
  static final int DEFAULT_PORT = 8080;
  static final int DEFAULT_POOL_SIZE = 10;
  static final Duration DEFAULT_POOL_TIMEOUT = Duration.ofSeconds(3);
  static final Duration DEFAULT_STATEMENT_TIMEOUT = Duration.ofSeconds(10);
  static final int DEFAULT_POOL_QUEUE = 100;
  static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(60);
  static final int DEFAULT_RATE_LIMIT_PER_SECOND = 2_000;
  static final int DEFAULT_RATE_LIMIT_BURST = 4_000;
  static final int DEFAULT_MAX_BODY_BYTES = 256 * 1024;
  static final int DEFAULT_MAX_MEDIA_BYTES = 16 * 1024 * 1024;
  static final Duration DEFAULT_RETENTION = Duration.ofDays(2);
  static final Duration DEFAULT_ACCESS_KEY_OVERLAP = Duration.ofDays(1);
  static final Duration MIN_RETENTION = Duration.ofDays(1);
  private static final int CREDENTIAL_KEY_BYTES = 32;
  private static final int MAX_FINGERPRINT_KEY_BYTES = 1024;

  /**
   * Reads the settings.
   *
   * @throws dev.onceward.process.ConfigurationException with every problem at once
   */
  static ApiConfig from(Settings settings) {
    String url =
        settings.text(
            "onceward.database.url", "JDBC URL of PostgreSQL, without user and password.");
    if (!settings.hasProblem("onceward.database.url") && !url.startsWith("jdbc:postgresql:")) {
      settings.problem(
          "onceward.database.url",
          "is no JDBC URL of PostgreSQL",
          "Give jdbc:postgresql://HOST:PORT/DATABASE");
    }
    String user =
        settings.text("onceward.database.user", "onceward_app", "A role that owns no tables.");
    Secret password = settings.secret("onceward.database.password", "The role's password.");
    String host = settings.text("onceward.api.host", "0.0.0.0", "The address to listen on.");
    int port =
        settings.integer(
            "onceward.api.port",
            DEFAULT_PORT,
            0,
            65_535,
            "port",
            "The port to listen on; 0 takes a free one.");
    int poolSize =
        settings.integer(
            "onceward.api.pool-size",
            DEFAULT_POOL_SIZE,
            1,
            1_000,
            "connections",
            "Connections to PostgreSQL.");
    Duration poolTimeout =
        settings.duration(
            "onceward.api.pool-timeout",
            DEFAULT_POOL_TIMEOUT,
            Duration.ofMillis(250),
            Duration.ofMinutes(1),
            "How long a request waits for a free connection before it gets 503.");
    Duration statementTimeout =
        settings.duration(
            "onceward.api.statement-timeout",
            DEFAULT_STATEMENT_TIMEOUT,
            Duration.ofMillis(100),
            Duration.ofMinutes(10),
            "How long one statement may take before PostgreSQL cancels it.");
    int poolQueue =
        settings.integer(
            "onceward.api.pool-queue",
            DEFAULT_POOL_QUEUE,
            1,
            10_000,
            "requests",
            "How many requests may wait for a database connection; more get 503 at once.");
    Duration requestTimeout =
        settings.duration(
            "onceward.api.request-timeout",
            DEFAULT_REQUEST_TIMEOUT,
            Duration.ofSeconds(1),
            Duration.ofMinutes(30),
            "How long a request may take in all; at least pool time-out and statement time-out"
                + " together.");
    if (statementTimeout.plus(poolTimeout).compareTo(requestTimeout) > 0) {
      settings.problem(
          "onceward.api.request-timeout",
          "is shorter than a wait for a connection and a statement may take together",
          "Make it longer than onceward.api.pool-timeout plus onceward.api.statement-timeout");
    }
    int rateLimitPerSecond =
        settings.integer(
            "onceward.api.rate-limit-per-second",
            DEFAULT_RATE_LIMIT_PER_SECOND,
            1,
            1_000_000,
            "requests",
            "How many requests one access key or hook may get per second, per instance.");
    int rateLimitBurst =
        settings.integer(
            "onceward.api.rate-limit-burst",
            DEFAULT_RATE_LIMIT_BURST,
            1,
            10_000_000,
            "requests",
            "How many requests one access key or hook may get at once after a pause.");
    String tracingEndpoint =
        settings.optionalText(
            "onceward.api.tracing-endpoint",
            "OTLP over HTTP of a collector, such as http://collector:4318/v1/traces.");
    int maxBodyBytes =
        settings.integer(
            "onceward.api.max-body-bytes",
            DEFAULT_MAX_BODY_BYTES,
            1_024,
            64 * 1024 * 1024,
            "bytes",
            "The largest body read.");
    int maxMediaBytes =
        settings.integer(
            "onceward.api.max-media-bytes",
            DEFAULT_MAX_MEDIA_BYTES,
            1_024,
            1024 * 1024 * 1024,
            "bytes",
            "The largest file taken.");
    Duration retention =
        settings.duration(
            "onceward.api.idempotency-retention",
            DEFAULT_RETENTION,
            MIN_RETENTION,
            Duration.ofDays(365),
            "How long an answer is given again to the same key.");
    Duration accessKeyOverlap =
        settings.duration(
            "onceward.api.access-key-overlap",
            DEFAULT_ACCESS_KEY_OVERLAP,
            Duration.ZERO,
            Duration.ofDays(30),
            "How long a rotated access key still holds, unless the call says.");
    Map<String, byte[]> fingerprintKeys =
        NamedKeys.read(
            settings,
            "onceward.api.fingerprint-keys",
            FingerprintKeys.MIN_KEY_BYTES,
            MAX_FINGERPRINT_KEY_BYTES,
            "Keys for fingerprints of requests, id:base64[,id:base64], the current one first.");
    Map<String, byte[]> credentialKeys =
        NamedKeys.read(
            settings,
            "onceward.credential-keys",
            CREDENTIAL_KEY_BYTES,
            CREDENTIAL_KEY_BYTES,
            "Keys that encrypt store credentials, id:base64[,id:base64], the current one first.");
    CleanUpConfig cleanUp = CleanUpConfig.from(settings);
    settings.verify("onceward.api");
    return new ApiConfig(
        url,
        user,
        password,
        host,
        port,
        poolSize,
        poolTimeout,
        poolQueue,
        requestTimeout,
        rateLimitPerSecond,
        rateLimitBurst,
        tracingEndpoint,
        statementTimeout,
        maxBodyBytes,
        maxMediaBytes,
        retention,
        accessKeyOverlap,
        new FingerprintKeys(fingerprintKeys),
        new CredentialCipher(credentialKeys),
        cleanUp);
  }
}

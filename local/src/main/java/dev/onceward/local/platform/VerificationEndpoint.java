package dev.onceward.local.platform;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import dev.onceward.local.platform.PlatformCall.Fate;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/credential-verifications}: the one call of the platform.
 *
 * <p>Credentials are valid unless one of their values begins with {@code invalid}; the account name
 * is made from the external id. Thread-safe.
 */
final class VerificationEndpoint {

  /** Far above any credentials; a larger body is refused, so that memory stays bounded. */
  private static final int MAX_BODY_BYTES = 64 * 1024;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final PlatformLedger ledger;
  private final Supplier<PlatformBehaviour> behaviour;
  private final SplittableRandom random;

  VerificationEndpoint(PlatformLedger ledger, Supplier<PlatformBehaviour> behaviour, long seed) {
    this.ledger = ledger;
    this.behaviour = behaviour;
    this.random = new SplittableRandom(seed);
  }

  void handle(HttpExchange exchange) throws IOException, InterruptedException {
    byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
    String key = singleKey(exchange);
    if (key == null) {
      SimulatorAnswers.error(exchange, 400, "send one Idempotency-Key header");
      return;
    }
    int call = ledger.arrive(key);
    PlatformBehaviour now = behaviour.get();
    double lot = draw();
    if (lot < now.failureShare()) {
      ledger.close(key, call, Fate.FAILED);
      SimulatorAnswers.error(exchange, now.failureStatus(), "refused, as this simulator was told");
      return;
    }
    byte[] answer = body.length > MAX_BODY_BYTES ? null : verify(body);
    if (answer == null) {
      ledger.close(key, call, Fate.REJECTED);
      SimulatorAnswers.error(
          exchange,
          400,
          "the body must be {\"platform\":text,\"external_id\":text,\"credentials\":{...}}");
      return;
    }
    Thread.sleep(now.latency().toMillis());
    byte[] sent = ledger.effect(key, call, now.keySupport(), answer);
    if (lot < now.failureShare() + now.lostAnswerShare()) {
      ledger.close(key, call, Fate.ANSWER_LOST);
      // Closed before any header is written: the JDK's server then drops the connection.
      exchange.close();
      return;
    }
    ledger.close(key, call, Fate.ANSWERED);
    SimulatorAnswers.json(exchange, 200, sent);
  }

  private static @Nullable String singleKey(HttpExchange exchange) {
    List<String> keys = exchange.getRequestHeaders().get("Idempotency-Key");
    return keys == null || keys.size() != 1 || keys.get(0).isBlank() ? null : keys.get(0);
  }

  private static byte @Nullable [] verify(byte[] body) throws JsonProcessingException {
    JsonNode request;
    try {
      request = JSON.readTree(body);
    } catch (IOException malformed) {
      return null;
    }
    JsonNode credentials = request.path("credentials");
    if (!request.path("platform").isTextual()
        || !request.path("external_id").isTextual()
        || !credentials.isObject()) {
      return null;
    }
    boolean valid = true;
    for (JsonNode value : credentials) {
      valid &= !value.asText().startsWith("invalid");
    }
    String account = request.path("platform").asText() + "/" + request.path("external_id").asText();
    return JSON.writeValueAsBytes(Map.of("valid", valid, "account_name", account));
  }

  private double draw() {
    synchronized (random) {
      return random.nextDouble();
    }
  }
}

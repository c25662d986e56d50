package dev.onceward.local.platform;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import dev.onceward.local.platform.PlatformCall.Fate;
import dev.onceward.local.platform.SimulatorWork.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call of the platform, as the behaviour of the moment has it, with its entries in the books.
 * Thread-safe.
 */
final class CallEndpoint {

  /** Far above anything a worker sends; a larger body is refused, so that memory stays bounded. */
  private static final int MAX_BODY_BYTES = 256 * 1024;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final SimulatorWork work;
  private final PlatformLedger ledger;
  private final Supplier<PlatformBehaviour> behaviour;
  private final SplittableRandom random;

  CallEndpoint(
      SimulatorWork work, PlatformLedger ledger, Supplier<PlatformBehaviour> behaviour, long seed) {
    this.work = work;
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
    Reply reply = body.length > MAX_BODY_BYTES ? null : reply(body);
    if (reply == null || reply.status() != 200) {
      ledger.close(key, call, Fate.REJECTED);
      SimulatorAnswers.error(
          exchange,
          reply == null ? 400 : reply.status(),
          reply == null ? "the body must be " + work.form() : reply.body());
      return;
    }
    Thread.sleep(now.latency().toMillis());
    byte[] answer = reply.body().getBytes(StandardCharsets.UTF_8);
    byte[] sent = work.isEffect() ? ledger.effect(key, call, now.keySupport(), answer) : answer;
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

  private @Nullable Reply reply(byte[] body) throws JsonProcessingException {
    JsonNode request;
    try {
      request = JSON.readTree(body);
    } catch (IOException malformed) {
      return null;
    }
    return request == null ? null : work.reply(request);
  }

  private double draw() {
    synchronized (random) {
      return random.nextDouble();
    }
  }
}

package dev.onceward.local.platform;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The simulator's books over HTTP: {@code GET /v1/simulator/counts}, {@code GET
 * /v1/simulator/keys/<key>}, {@code DELETE /v1/simulator/keys} (forget all). Thread-safe.
 */
final class LedgerEndpoint {

  static final String PREFIX = "/v1/simulator/";

  private final PlatformLedger ledger;

  LedgerEndpoint(PlatformLedger ledger) {
    this.ledger = ledger;
  }

  void handle(HttpExchange exchange) throws IOException {
    String asked =
        exchange.getRequestMethod()
            + " "
            + exchange.getRequestURI().getPath().substring(PREFIX.length());
    if (asked.equals("GET counts")) {
      SimulatorAnswers.json(exchange, 200, counts());
    } else if (asked.startsWith("GET keys/")) {
      key(exchange, asked.substring("GET keys/".length()));
    } else if (asked.equals("DELETE keys")) {
      ledger.clear();
      SimulatorAnswers.json(exchange, 200, counts());
    } else {
      SimulatorAnswers.error(
          exchange,
          404,
          "known here: GET counts, GET keys/<idempotency key>, DELETE keys, all below " + PREFIX);
    }
  }

  private Map<String, Object> counts() {
    PlatformCounts counts = ledger.counts();
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("keys", counts.keys());
    body.put("calls", counts.calls());
    body.put("effects", counts.effects());
    body.put("extra_calls", counts.extraCalls());
    body.put("lost_answers", counts.lostAnswers());
    body.put("failures", counts.failures());
    return body;
  }

  private void key(HttpExchange exchange, String key) throws IOException {
    List<PlatformCall> calls = ledger.calls(key);
    if (calls.isEmpty()) {
      SimulatorAnswers.error(exchange, 404, "no call was made under this key");
      return;
    }
    List<Map<String, Object>> rows = new ArrayList<>();
    for (PlatformCall call : calls) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("arrived_at", call.arrivedAt().toString());
      row.put("fate", call.fate().name());
      row.put("effect", call.effect());
      rows.add(row);
    }
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("key", key);
    body.put("effects", ledger.effects(key));
    body.put("calls", rows);
    SimulatorAnswers.json(exchange, 200, body);
  }
}

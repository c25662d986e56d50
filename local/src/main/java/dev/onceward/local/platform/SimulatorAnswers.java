package dev.onceward.local.platform;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.Map;

/** Writes the simulator's JSON answers. Stateless. */
final class SimulatorAnswers {

  private static final ObjectMapper JSON = new ObjectMapper();

  private SimulatorAnswers() {}

  static void json(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  static void json(HttpExchange exchange, int status, Object body) throws IOException {
    json(exchange, status, JSON.writeValueAsBytes(body));
  }

  static void error(HttpExchange exchange, int status, String detail) throws IOException {
    json(exchange, status, Map.of("status", status, "detail", detail));
  }
}

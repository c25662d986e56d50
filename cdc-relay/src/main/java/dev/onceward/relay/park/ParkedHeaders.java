package dev.onceward.relay.park;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/** Record headers as JSON, in their order; all their values are UTF-8 text. */
final class ParkedHeaders {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ParkedHeaders() {}

  static String toJson(List<Header> headers) {
    ArrayNode all = JSON.createArrayNode();
    for (Header header : headers) {
      all.addObject()
          .put("name", header.key())
          .put("value", new String(header.value(), StandardCharsets.UTF_8));
    }
    return all.toString();
  }

  /**
   * Reads the stored form.
   *
   * @throws IllegalArgumentException if it is none
   */
  static List<Header> parse(String json) {
    List<Header> headers = new ArrayList<>();
    try {
      for (JsonNode header : JSON.readTree(json)) {
        headers.add(
            new RecordHeader(
                header.required("name").asText(),
                header.required("value").asText().getBytes(StandardCharsets.UTF_8)));
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the headers are no JSON", e);
    }
    return headers;
  }
}

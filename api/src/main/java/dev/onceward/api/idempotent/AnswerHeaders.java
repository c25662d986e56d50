package dev.onceward.api.idempotent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.TreeMap;

/** The headers of a stored answer as a JSON object of text members. */
final class AnswerHeaders {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final TypeReference<Map<String, String>> HEADERS = new TypeReference<>() {};

  private AnswerHeaders() {}

  static String write(Map<String, String> headers) {
    try {
      return JSON.writeValueAsString(new TreeMap<>(headers));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("text can always be written", e);
    }
  }

  static Map<String, String> read(String json) {
    try {
      return JSON.readValue(json, HEADERS);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the headers of a stored answer are no JSON object", e);
    }
  }
}

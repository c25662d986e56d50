package dev.onceward.local.platform;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/ai-tasks}: a stand-in for a model whose output is made from the input, so that
 * the same question has the same answer. Stateless.
 */
final class AiTasks implements SimulatorWork {

  @Override
  public String form() {
    return "{\"kind\":\"text\"|\"category\"|\"image\",\"input\":{...}}";
  }

  @Override
  public boolean isEffect() {
    return true;
  }

  @Override
  public @Nullable Reply reply(JsonNode request) throws JsonProcessingException {
    JsonNode input = request.path("input");
    if (!input.isObject()) {
      return null;
    }
    UUID name = UUID.nameUUIDFromBytes(input.toString().getBytes(StandardCharsets.UTF_8));
    return switch (request.path("kind").asText()) {
      case "text" -> output("text", "A text about " + input.path("prompt").asText("nothing"));
      case "category" -> output("category", "category-" + Math.floorMod(name.hashCode(), 100));
      case "image" -> output("image", "image-" + name);
      default -> null;
    };
  }

  private static Reply output(String member, String value) throws JsonProcessingException {
    return Reply.done(Map.of("output", Map.of(member, value)));
  }
}

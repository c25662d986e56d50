package dev.onceward.local.platform;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/listings}: puts something up for sale, or refuses with 403 when the credentials
 * are not valid. The listing's id is made from shop and content. Stateless.
 */
final class Listings implements SimulatorWork {

  @Override
  public String form() {
    return "{\"platform\":text,\"external_id\":text,\"credentials\":{...},"
        + "\"listing\":{\"title\":text,...}}";
  }

  @Override
  public boolean isEffect() {
    return true;
  }

  @Override
  public @Nullable Reply reply(JsonNode request) throws JsonProcessingException {
    JsonNode listing = request.path("listing");
    if (!SimulatorWork.namesShop(request) || !listing.path("title").isTextual()) {
      return null;
    }
    if (!SimulatorWork.credentialsAreValid(request)) {
      return Reply.refused(403, "the credentials are not valid");
    }
    String content = request.path("external_id").asText() + listing;
    UUID name = UUID.nameUUIDFromBytes(content.getBytes(StandardCharsets.UTF_8));
    return Reply.done(Map.of("listing_id", "listing-" + name));
  }
}

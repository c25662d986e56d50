package dev.onceward.local.platform;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/credential-verifications}: says whether credentials are valid; the account name
 * is made from the external id. Stateless.
 */
final class Verification implements SimulatorWork {

  @Override
  public String form() {
    return "{\"platform\":text,\"external_id\":text,\"credentials\":{...}}";
  }

  @Override
  public boolean isEffect() {
    return true;
  }

  @Override
  public @Nullable Reply reply(JsonNode request) throws JsonProcessingException {
    if (!SimulatorWork.namesShop(request)) {
      return null;
    }
    String account = request.path("platform").asText() + "/" + request.path("external_id").asText();
    return Reply.done(
        Map.of("valid", SimulatorWork.credentialsAreValid(request), "account_name", account));
  }
}

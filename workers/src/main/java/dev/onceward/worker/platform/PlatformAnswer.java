package dev.onceward.worker.platform;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.onceward.db.secret.SecretGuard;
import dev.onceward.db.store.StoreCredentials;
import dev.onceward.worker.handle.RetriableTaskException;
import org.jspecify.annotations.Nullable;

/**
 * What a platform says about a store's credentials. Immutable.
 *
 * @param accountName how the platform calls the account, at most 200 characters; null if it does
 *     not say, or says something that is kept secret
 */
record PlatformAnswer(boolean valid, @Nullable String accountName) {

  private static final int MAX_NAME_CHARACTERS = 200;

  /** Shorter ones are parts of ordinary names. */
  private static final int LEAST_SECRET_CHARACTERS = 6;

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Reads an answer.
   *
   * @param asked whose credentials it is about; they are not taken back as a name
   */
  static PlatformAnswer read(JsonNode answer, StoreCredentials asked)
      throws RetriableTaskException, JsonProcessingException {
    if (!answer.path("valid").isBoolean()) {
      throw PlatformClient.unreadable(null);
    }
    String name = PlatformText.of(answer, "account_name", MAX_NAME_CHARACTERS);
    return new PlatformAnswer(
        answer.path("valid").booleanValue(),
        name == null || tellsSecret(name, asked) ? null : name);
  }

  private static boolean tellsSecret(String name, StoreCredentials asked)
      throws JsonProcessingException {
    if (SecretGuard.isSecretInText(name)) {
      return true;
    }
    for (JsonNode credential : JSON.readTree(asked.credentials())) {
      String secret = credential.asText();
      if (secret.length() >= LEAST_SECRET_CHARACTERS && name.contains(secret)) {
        return true;
      }
    }
    return false;
  }
}

package dev.onceward.worker.platform;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.worker.handle.RetriableTaskException;
import org.jspecify.annotations.Nullable;

/**
 * What a platform says about a store's credentials. Immutable.
 *
 * @param accountName how the platform calls the account, at most 200 characters; null if it does
 *     not say
 */
record PlatformAnswer(boolean valid, @Nullable String accountName) {

  private static final int MAX_NAME_CHARACTERS = 200;

  static PlatformAnswer read(JsonNode answer) throws RetriableTaskException {
    if (!answer.path("valid").isBoolean()) {
      throw PlatformClient.unreadable(null);
    }
    return new PlatformAnswer(
        answer.path("valid").booleanValue(),
        PlatformText.of(answer, "account_name", MAX_NAME_CHARACTERS));
  }
}

package dev.onceward.worker.platform;

import dev.onceward.db.store.StoreAuthorizationStore;
import dev.onceward.db.store.StoreCredentials;
import dev.onceward.worker.handle.EventHandler;
import dev.onceward.worker.handle.HandledType;
import dev.onceward.worker.handle.HandlerResult;
import dev.onceward.worker.handle.TaskAttempt;
import java.util.Collection;
import java.util.List;

/**
 * Asks the platform whether a store's credentials are valid, and writes the answer to the store
 * together with the end of the operation. Credentials that were replaced after the event are not
 * asked about: a later event is.
 */
final class VerifyStoreCredentials implements EventHandler {

  private static final String OPERATION_KIND = "verify_store_credentials";
  private static final String AGGREGATE_TYPE = "store";

  private final StoreAuthorizationStore stores;
  private final StoreAccess access;
  private final PlatformClient platform;

  VerifyStoreCredentials(
      StoreAuthorizationStore stores, StoreAccess access, PlatformClient platform) {
    this.stores = stores;
    this.access = access;
    this.platform = platform;
  }

  @Override
  public Collection<HandledType> handledTypes() {
    return List.of(
        new HandledType("store.credentials_submitted", 1, AGGREGATE_TYPE, OPERATION_KIND),
        new HandledType("store.verification_requested", 1, AGGREGATE_TYPE, OPERATION_KIND));
  }

  @Override
  public HandlerResult handle(TaskAttempt attempt) throws Exception {
    StoreEvent event = StoreEvent.read(attempt.event().envelope().payload());
    StoreCredentials store = access.read(attempt, event.storeId());
    if (store.version() != event.credentialVersion()) {
      return HandlerResult.of(result("superseded", event));
    }
    PlatformAnswer answer =
        PlatformAnswer.read(
            platform.post(
                PlatformRequest.of(
                    attempt, "v1/credential-verifications", PlatformBody.of(store, json -> {}))),
            store);
    return connection ->
        stores.recordVerification(
                connection,
                event.storeId(),
                event.credentialVersion(),
                answer.valid(),
                answer.accountName())
            ? result(answer.valid() ? "verified" : "invalid", event)
            : result("superseded", event); // replaced while the platform was asked
  }

  private static String result(String outcome, StoreEvent event) {
    return "{\"outcome\":\"%s\",\"credential_version\":%d}"
        .formatted(outcome, event.credentialVersion());
  }
}

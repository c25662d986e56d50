package dev.onceward.worker.platform;

import dev.onceward.db.secret.UndecryptableException;
import dev.onceward.db.store.StoreAuthorizationStore;
import dev.onceward.db.store.StoreCredentials;
import dev.onceward.worker.handle.PermanentTaskException;
import dev.onceward.worker.handle.TaskAttempt;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/** Reads what a platform needs to be asked on behalf of a store. Thread-safe. */
final class StoreAccess {

  private final StoreAuthorizationStore stores;

  StoreAccess(StoreAuthorizationStore stores) {
    this.stores = stores;
  }

  /**
   * The store's present credentials, decrypted.
   *
   * @throws PermanentTaskException if there is no such store or its credentials cannot be read
   */
  StoreCredentials read(TaskAttempt attempt, UUID storeId)
      throws SQLException, PermanentTaskException {
    Optional<StoreCredentials> store;
    try {
      store = attempt.inWorkspace(connection -> stores.readCredentials(connection, storeId));
    } catch (UndecryptableException unreadable) {
      throw new PermanentTaskException(
          "CREDENTIALS_UNREADABLE",
          "The stored credentials cannot be decrypted; check onceward.credential-keys.",
          unreadable);
    }
    return store.orElseThrow(
        () -> new PermanentTaskException("STORE_NOT_FOUND", "The store does not exist any more."));
  }
}

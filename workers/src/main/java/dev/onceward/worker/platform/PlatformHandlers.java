package dev.onceward.worker.platform;

import dev.onceward.db.store.StoreAuthorizationStore;
import dev.onceward.worker.handle.EventHandler;
import dev.onceward.worker.handle.HandlerEnvironment;
import dev.onceward.worker.handle.HandlerProvider;
import java.util.Collection;
import java.util.List;

/** The handlers that come with the product. */
public final class PlatformHandlers implements HandlerProvider {

  /** For {@link java.util.ServiceLoader}. */
  public PlatformHandlers() {}

  @Override
  public Collection<? extends EventHandler> handlers(HandlerEnvironment environment) {
    StoreAuthorizationStore stores = new StoreAuthorizationStore(environment.credentials());
    StoreAccess access = new StoreAccess(stores);
    PlatformClient platform =
        new PlatformClient(environment.platformUrl(), environment.platformTimeout());
    return List.of(
        new VerifyStoreCredentials(stores, access, platform),
        new PublishListing(access, platform),
        new SyncProducts(access, platform),
        new RunAiTask(platform));
  }
}

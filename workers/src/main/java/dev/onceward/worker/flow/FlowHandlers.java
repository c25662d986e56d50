package dev.onceward.worker.flow;

import dev.onceward.db.store.StoreAuthorizationStore;
import dev.onceward.worker.handle.EventHandler;
import dev.onceward.worker.handle.HandlerEnvironment;
import dev.onceward.worker.handle.HandlerProvider;
import java.util.Collection;
import java.util.List;

/** The handlers of flows. */
public final class FlowHandlers implements HandlerProvider {

  /** For {@link java.util.ServiceLoader}. */
  public FlowHandlers() {}

  @Override
  public Collection<? extends EventHandler> handlers(HandlerEnvironment environment) {
    return List.of(new AdvanceRun(new StoreAuthorizationStore(environment.credentials())));
  }
}

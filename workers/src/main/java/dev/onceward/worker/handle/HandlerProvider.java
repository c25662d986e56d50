package dev.onceward.worker.handle;

import java.util.Collection;

/**
 * Makes handlers. Found by {@link java.util.ServiceLoader}; needs a public no-argument constructor.
 */
public interface HandlerProvider {

  /** The handlers of this provider; called once, at the start. */
  Collection<? extends EventHandler> handlers(HandlerEnvironment environment);
}

package dev.onceward.worker.media;

import dev.onceward.worker.handle.EventHandler;
import dev.onceward.worker.handle.HandlerEnvironment;
import dev.onceward.worker.handle.HandlerProvider;
import java.net.InetAddress;
import java.util.Collection;
import java.util.List;

/** The handlers of media and material transfers. */
public final class MediaHandlers implements HandlerProvider {

  /** For {@link java.util.ServiceLoader}. */
  public MediaHandlers() {}

  @Override
  public Collection<? extends EventHandler> handlers(HandlerEnvironment environment) {
    MediaInspector inspector = new MediaInspector();
    MaterialFetcher fetcher =
        new MaterialFetcher(environment.materials(), InetAddress::getAllByName);
    return List.of(
        new ProcessMedia(inspector),
        new TransferMaterial(fetcher, inspector, environment.materials().timeout()));
  }
}

package dev.onceward.worker.handle;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * A result without any writes of its own. Immutable.
 *
 * @param json as {@link HandlerResult#finish} returns it
 */
record PlainResult(@Nullable String json) implements HandlerResult {

  @Override
  public @Nullable String finish(Connection connection) {
    return json;
  }

  @Override
  public boolean isPlain() {
    return true;
  }
}

package dev.onceward.worker.handle;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A later attempt may help: the operation waits for it, or is dead once its attempts are used up.
 */
public final class RetriableTaskException extends TaskException {

  private static final long serialVersionUID = 1L;

  private final @Nullable Duration notBefore;

  /** See {@link TaskException}. */
  public RetriableTaskException(String code, String summary) {
    this(code, summary, null, null);
  }

  /**
   * See {@link TaskException}.
   *
   * @param notBefore the other side asks to wait at least this long; null if it does not say
   */
  public RetriableTaskException(
      String code, String summary, @Nullable Duration notBefore, @Nullable Throwable cause) {
    super(code, summary, cause);
    this.notBefore = notBefore;
  }

  /** The least wait that the other side asked for; null if it did not. */
  public @Nullable Duration notBefore() {
    return notBefore;
  }
}

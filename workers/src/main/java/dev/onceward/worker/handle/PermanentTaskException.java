package dev.onceward.worker.handle;

import org.jspecify.annotations.Nullable;

/** No later attempt can help: the operation becomes {@code failed}. */
public final class PermanentTaskException extends TaskException {

  private static final long serialVersionUID = 1L;

  /** See {@link TaskException}. */
  public PermanentTaskException(String code, String summary) {
    this(code, summary, null);
  }

  /** See {@link TaskException}. */
  public PermanentTaskException(String code, String summary, @Nullable Throwable cause) {
    super(code, summary, cause);
  }
}

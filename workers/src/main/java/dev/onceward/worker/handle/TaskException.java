package dev.onceward.worker.handle;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Why an attempt failed, in words that may be stored and shown. Its type says whether a later
 * attempt may help.
 */
public abstract sealed class TaskException extends Exception
    permits PermanentTaskException, RetriableTaskException {

  private static final long serialVersionUID = 1L;
  private static final Pattern CODE = Pattern.compile("[A-Z][A-Z0-9_]{0,99}");

  private final String code;

  /**
   * @param code stable, upper case with underscores, such as {@code PLATFORM_REJECTED}
   * @param summary one sentence for a person, without secrets or payload
   * @param cause null if there is none
   */
  TaskException(String code, String summary, @Nullable Throwable cause) {
    super(summary, cause);
    if (!CODE.matcher(code).matches()) {
      throw new IllegalArgumentException("not an error code: " + code);
    }
    this.code = code;
  }

  /** The stable code. */
  public String code() {
    return code;
  }

  /** One sentence for a person. */
  public String summary() {
    String message = getMessage();
    return message == null ? "" : message;
  }
}

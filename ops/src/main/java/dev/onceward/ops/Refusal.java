package dev.onceward.ops;

import dev.onceward.process.ExitCode;
import dev.onceward.process.StartupException;

/** Refusals by the state of things: nothing has been changed. Stateless. */
public final class Refusal {
  private Refusal() {}

  /**
   * The operator asked for what cannot be.
   *
   * @param message what, naming the value; no full stop at its end
   * @param remedy what to do about it; no full stop at its end
   */
  public static StartupException of(String message, String remedy) {
    return new StartupException(ExitCode.FAILURE, message, remedy, null);
  }
}

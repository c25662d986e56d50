package dev.onceward.process;

/**
 * A configured secret. Immutable. Its text form is a mask, so that a record that holds one can be
 * printed; only {@link #reveal()} gives the value.
 */
public final class Secret {
  private final String value;

  public Secret(String value) {
    this.value = value;
  }

  /** The secret itself; hand it to the client that needs it and to nothing else. */
  public String reveal() {
    return value;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Secret secret && secret.value.equals(value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return "***";
  }
}

package dev.onceward.db.workspace;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a user may do; each role may do what the one before it may. */
public enum Role {
  /** Works in the workspace and looks after their own access keys. */
  MEMBER,
  /** Looks after the workspace too: its users, all their keys, its hooks. */
  ADMINISTRATOR,
  /**
   * Makes workspaces too. Only the command line makes such a user; the service cannot, and leaves
   * them and their keys alone.
   */
  INSTALLATION_ADMINISTRATOR;

  /** The role as it is stored and shown. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether this role may do what {@code needed} may. */
  public boolean includes(Role needed) {
    return compareTo(needed) >= 0;
  }

  /** The role of that label, empty when there is none. */
  public static Optional<Role> ofLabel(String label) {
    return Arrays.stream(values()).filter(role -> role.label().equals(label)).findAny();
  }

  static Role stored(String label) {
    return ofLabel(label)
        .orElseThrow(() -> new IllegalStateException("a user has the unknown role " + label));
  }
}

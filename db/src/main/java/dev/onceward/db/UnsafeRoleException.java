package dev.onceward.db;

/** The database role is one that row-level security does not bind. */
public final class UnsafeRoleException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String role;

  UnsafeRoleException(String role, String reason) {
    super(
        "The database role %s %s, so row-level security would not separate workspaces; connect as onceward_app"
            .formatted(role, reason));
    this.role = role;
  }

  /** The role's name. */
  public String role() {
    return role;
  }
}

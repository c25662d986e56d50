package dev.onceward.db.hook;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is needed to take a delivery in, found without a workspace. Immutable.
 *
 * @param flow the flow to start; null for another action
 * @param secrets that count now, the current one first; one or two
 */
public record HookAddress(
    UUID id,
    UUID workspaceId,
    HookAction action,
    @Nullable String flow,
    boolean enabled,
    List<HookSecret> secrets) {

  /** Copies the secrets. */
  public HookAddress {
    secrets = List.copyOf(secrets);
  }
}

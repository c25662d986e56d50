package dev.onceward.db.action;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code ops_actions}. Immutable.
 *
 * @param id of the row
 * @param actedAt when, by the server's clock
 * @param operator the account on the operator's machine
 * @param databaseRole the role that it came with
 * @param clientAddress from where; null for a local socket
 * @param command such as {@code relay pause}
 * @param arguments what was given to it
 * @param state what the row says
 * @param startedId the start that it is the end of; null if it is none
 * @param result what came of it; null at the start
 */
public record OpsAction(
    long id,
    Instant actedAt,
    String operator,
    String databaseRole,
    @Nullable String clientAddress,
    String command,
    String arguments,
    ActionState state,
    @Nullable Long startedId,
    @Nullable String result) {}

package dev.onceward.api.operation;

import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Page;
import dev.onceward.api.http.QueryParameters;
import dev.onceward.api.http.Request;
import dev.onceward.api.http.Route;
import dev.onceward.db.Database;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.operation.OperationState;
import dev.onceward.db.operation.OperationStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/operations} and {@code GET /v1/operations/{id}?wait=20s}. Thread-safe. */
public final class OperationReads {
  /** The longest wait a client may ask for. */
  public static final Duration MAX_WAIT = Duration.ofSeconds(30);

  private static final Pattern WAIT = Pattern.compile("([0-9]{1,5})(ms|s)");
  private static final Pattern KIND = Pattern.compile("[a-z][a-z0-9_]{0,119}");

  private final Database database;
  private final OperationWaiter waiter;
  private final Duration longestWait;

  /**
   * @param waiter serves {@code ?wait=}
   * @param longestWait what a longer wait is shortened to, so that it ends before the request must
   */
  public OperationReads(Database database, OperationWaiter waiter, Duration longestWait) {
    this.database = database;
    this.waiter = waiter;
    this.longestWait = longestWait;
  }

  /** The calls. */
  public List<Route> routes() {
    return List.of(
        Route.get("/v1/operations", this::list), Route.getLater("/v1/operations/{id}", this::get));
  }

  private CompletableFuture<Answer> get(Request request) throws SQLException {
    QueryParameters parameters = request.queryParameters();
    Duration wait = wait(parameters.optional("wait"));
    parameters.refuseOthers();
    UUID workspaceId = request.caller().workspaceId();
    UUID id = request.id("operation");
    Operation operation =
        database
            .inWorkspace(workspaceId, connection -> OperationStore.find(connection, id))
            .orElseThrow(() -> Request.notFound("operation").exception());
    CompletableFuture<Operation> later =
        wait.isZero() || operation.state().isFinal()
            ? CompletableFuture.completedFuture(operation)
            : waiter.await(operation, wait.compareTo(longestWait) < 0 ? wait : longestWait);
    return later.thenApply(found -> Answer.json(200, OperationJson.of(found)));
  }

  private Answer list(Request request) throws SQLException {
    QueryParameters parameters = request.queryParameters();
    OperationState state = state(parameters.optional("state"));
    String kind = parameters.optional("kind");
    if (kind != null && !KIND.matcher(kind).matches()) {
      throw QueryParameters.invalid(
          "kind", "It must be a kind of operation, such as those listed.");
    }
    UUID after = parameters.optionalId("after");
    int limit = Page.limit(parameters);
    parameters.refuseOthers();
    List<Operation> found =
        database.inWorkspace(
            request.caller().workspaceId(),
            connection -> OperationStore.list(connection, state, kind, after, limit + 1));
    return Page.answer(found, limit, Operation::id, OperationJson::of);
  }

  private static @Nullable OperationState state(@Nullable String label) {
    if (label == null) {
      return null;
    }
    return Arrays.stream(OperationState.values())
        .filter(state -> state.label().equals(label))
        .findAny()
        .orElseThrow(
            () ->
                QueryParameters.invalid(
                    "state",
                    "It must be one of "
                        + Arrays.stream(OperationState.values())
                            .map(OperationState::label)
                            .collect(Collectors.joining(", "))
                        + "."));
  }

  private static Duration wait(@Nullable String text) {
    if (text == null) {
      return Duration.ZERO;
    }
    Matcher matcher = WAIT.matcher(text);
    if (matcher.matches()) {
      long amount = Long.parseLong(matcher.group(1));
      Duration wait =
          matcher.group(2).equals("s") ? Duration.ofSeconds(amount) : Duration.ofMillis(amount);
      if (wait.compareTo(MAX_WAIT) <= 0) {
        return wait;
      }
    }
    throw QueryParameters.invalid(
        "wait", "It must be a time such as 500ms or 20s, at most " + MAX_WAIT.toSeconds() + "s.");
  }
}

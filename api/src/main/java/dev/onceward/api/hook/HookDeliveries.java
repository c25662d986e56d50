package dev.onceward.api.hook;

import dev.onceward.api.flow.FlowCalls;
import dev.onceward.api.flow.FlowWork;
import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Request;
import dev.onceward.api.http.Route;
import dev.onceward.api.idempotent.FingerprintKeys;
import dev.onceward.api.idempotent.RequestFingerprint;
import dev.onceward.api.json.JsonValue;
import dev.onceward.api.json.StrictJson;
import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.api.problem.ProblemException;
import dev.onceward.api.receipt.ReceiptResult;
import dev.onceward.api.receipt.ReceiptWork;
import dev.onceward.api.receipt.ReceiptedWrites;
import dev.onceward.db.Database;
import dev.onceward.db.SqlStates;
import dev.onceward.db.flow.Flow;
import dev.onceward.db.hook.HookAddress;
import dev.onceward.db.hook.HookSecret;
import dev.onceward.db.hook.HookStore;
import dev.onceward.db.receipt.ReceiptRequest;
import dev.onceward.db.receipt.ReceiptTable;
import dev.onceward.db.receipt.Receipts;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** {@code POST /hooks/{id}}. Thread-safe. */
public final class HookDeliveries {
  /** The hook was deleted between the look-up and the claim. */
  private static final String HOOK_GONE = "hook_receipts_hook";

  /** Signs for hooks that do not exist, so that these take the same work. */
  private static final HookSecret NOBODYS = HookSecret.generate();

  private final Database database;
  private final HookStore hooks;
  private final FingerprintKeys keys;
  private final FlowWork work;
  private final Clock clock;
  private final ReceiptedWrites writes;

  /**
   * @param keys for fingerprints
   * @param work what is done under a receipt
   * @param clock for the tolerance of timestamps
   */
  public HookDeliveries(
      Database database, HookStore hooks, FingerprintKeys keys, FlowWork work, Clock clock) {
    this.database = database;
    this.hooks = hooks;
    this.keys = keys;
    this.work = work;
    this.clock = clock;
    this.writes = new ReceiptedWrites(database, new Receipts(ReceiptTable.HOOK_RECEIPTS));
  }

  /** The call. */
  public List<Route> routes() {
    return List.of(Route.delivery("/hooks/{id}", this::deliver));
  }

  private Answer deliver(Request request) throws SQLException {
    Delivery delivery = Delivery.of(request);
    HookAddress hook = authenticate(request, delivery);
    JsonValue body = StrictJson.read(request.body());
    ReceiptRequest wanted =
        new ReceiptRequest(
            hook.id(), delivery.key(), new RequestFingerprint(keys, request, body), List.of());
    ReceiptResult result;
    try {
      result = writes.carryOut(hook.workspaceId(), wanted, asked(hook, body, request));
    } catch (SQLException failure) {
      if (HOOK_GONE.equals(SqlStates.constraint(failure))) {
        throw refused();
      }
      throw failure;
    }
    return Answer.json(202, FlowCalls.ids(result));
  }

  private HookAddress authenticate(Request request, Delivery delivery) throws SQLException {
    // A text that is no id looks nothing up that exists, and takes the same way.
    UUID id = request.optionalId().orElseGet(() -> new UUID(0, 0));
    Optional<HookAddress> found =
        database.inTransaction(connection -> hooks.findAddress(connection, id));
    List<HookSecret> secrets = found.map(HookAddress::secrets).orElse(List.of(NOBODYS));
    boolean proved = delivery.signature().proves(secrets, request.body(), clock.instant());
    return found.filter(hook -> proved && hook.enabled()).orElseThrow(HookDeliveries::refused);
  }

  private ReceiptWork asked(HookAddress hook, JsonValue body, Request request) {
    return switch (hook.action()) {
      case START_RUN -> work.startByHook(flow(hook), body, request.ids());
      case RESOLVE_TODO -> work.resolveByHook(body, request.ids());
    };
  }

  private static Flow flow(HookAddress hook) {
    String label = hook.flow();
    return Optional.ofNullable(label)
        .flatMap(Flow::ofLabel)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "hook " + hook.id() + " starts an unknown flow " + label));
  }

  private static ProblemException refused() {
    return Problem.of(
            ProblemCode.HOOK_SIGNATURE_INVALID,
            "webhook-signature",
            "There is no such hook, or it is disabled, or none of the signatures is one of its"
                + " secrets' over the bytes that came, or the timestamp is more than "
                + DeliverySignature.TOLERANCE.toMinutes()
                + " minutes off.")
        // RFC 9110 §11.6.1 asks every 401 for a challenge.
        .withHeader("WWW-Authenticate", "StandardWebhooks")
        .exception();
  }
}

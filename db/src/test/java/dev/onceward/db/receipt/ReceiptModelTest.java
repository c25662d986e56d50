package dev.onceward.db.receipt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.Database;
import dev.onceward.db.SqlStates;
import dev.onceward.db.UuidV7;
import dev.onceward.db.flow.Flow;
import dev.onceward.db.flow.Run;
import dev.onceward.db.flow.RunStore;
import dev.onceward.db.receipt.ReceiptClaim.Busy;
import dev.onceward.db.receipt.ReceiptClaim.Claimed;
import dev.onceward.db.receipt.ReceiptClaim.Duplicate;
import dev.onceward.db.receipt.ReceiptClaim.Mismatch;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Random callers, crashes, clock steps and finishes on real PostgreSQL: step by step against a
 * small model, and at the same time against what must hold whatever happens.
 */
@ExtendWith(InfrastructureExtension.class)
@Tag("S55")
class ReceiptModelTest {

  private static final int CALLERS = 6;
  private static final List<String> KEYS = List.of("a", "b", "c");
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final Receipts receipts = new Receipts(ReceiptTable.API_RECEIPTS);
  private MigratedDatabase database;
  private Database app;
  private Tenant tenant;

  @BeforeEach
  void open(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    app = database.app();
    tenant = database.newTenant();
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  void every_step_is_the_models() throws SQLException {
    for (long seed = 1; seed <= 8; seed++) {
      new Steps(seed, database.newTenant()).run(150);
    }
  }

  @Test
  void at_the_same_time_nothing_is_done_twice_or_lost_and_each_claim_has_one_winner()
      throws Exception {
    AtomicLong clock = new AtomicLong(); // seconds since the start
    Map<String, UUID> winners = new ConcurrentHashMap<>();
    Map<UUID, UUID> accepted = new ConcurrentHashMap<>();
    Map<UUID, UUID> told = new ConcurrentHashMap<>();
    ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    try {
      List<Future<Integer>> running = new ArrayList<>();
      for (int caller = 0; caller < CALLERS; caller++) {
        Random random = new Random(caller);
        Callable<Integer> work =
            () -> {
              int executions = 0;
              for (int i = 0; i < 120; i++) {
                String key = "k" + (i / 12);
                executions += call(key, random, clock, winners, accepted, told);
              }
              return executions;
            };
        running.add(callers.submit(work));
      }
      for (Future<Integer> each : running) {
        assertThat(each.get(120, TimeUnit.SECONDS)).isNotNegative();
      }
    } finally {
      callers.shutdownNow();
    }

    clock.addAndGet(601);
    for (int i = 0; i < 10; i++) {
      finish("k" + i, START.plusSeconds(clock.get()), accepted, told);
    }
    List<Run> runs = in(connection -> RunStore.list(connection, null, 1_000));
    assertThat(runs).hasSize(10);
    assertThat(runs).extracting(Run::receiptId).doesNotHaveDuplicates();
    Map<UUID, UUID> done = new HashMap<>();
    runs.forEach(run -> done.put(java.util.Objects.requireNonNull(run.receiptId()), run.id()));
    assertThat(told).isEqualTo(done);
    assertThat(done).containsAllEntriesOf(accepted);
    assertThat(winners.size()).as("claims that were won").isGreaterThan(10);
  }

  /** One request of one caller, with whatever befalls it. Returns whether it executed. */
  private int call(
      String key,
      Random random,
      AtomicLong clock,
      Map<String, UUID> winners,
      Map<UUID, UUID> accepted,
      Map<UUID, UUID> told)
      throws SQLException {
    if (random.nextInt(6) == 0) {
      clock.addAndGet(random.nextBoolean() ? 601 : 300);
    }
    ReceiptClaim claim =
        in(c -> receipts.claim(c, request(key, null), START.plusSeconds(clock.get())));
    if (claim instanceof Duplicate duplicate) {
      UUID run = java.util.Objects.requireNonNull(duplicate.runId());
      assertThat(told.computeIfAbsent(duplicate.receiptId(), id -> run)).isEqualTo(run);
    }
    if (!(claim instanceof Claimed claimed)) {
      return 0;
    }
    UUID me = UUID.randomUUID();
    assertThat(winners.putIfAbsent(claimed.receiptId() + "/" + claimed.number(), me))
        .as("another winner of the same claim")
        .isNull();
    return switch (random.nextInt(5)) {
      case 0 -> 0; // dies after the claim
      case 1 -> {
        in(c -> receipts.reject(c, claimed, "no"));
        yield 0;
      }
      case 2 -> workAndDie(claimed);
      default -> workAndAccept(claimed, accepted);
    };
  }

  /** The work and its acceptance in one transaction; rolled back when the claim is lost. */
  private int workAndAccept(Claimed claimed, Map<UUID, UUID> accepted) throws SQLException {
    try {
      UUID run =
          in(
              connection -> {
                UUID found = doOrFind(connection, claimed);
                if (!receipts.accept(connection, claimed, found, null)) {
                  throw new TakenOver();
                }
                return found;
              });
      assertThat(accepted.put(claimed.receiptId(), run)).as("accepted before").isNull();
      return 1;
    } catch (TakenOver lost) {
      return 0;
    } catch (SQLException failure) {
      return orTwin(failure);
    }
  }

  /** A backend that commits its work apart from the receipt, and dies in between. */
  private int workAndDie(Claimed claimed) throws SQLException {
    try {
      in(connection -> doOrFind(connection, claimed));
      return 1;
    } catch (SQLException failure) {
      return orTwin(failure);
    }
  }

  private static int orTwin(SQLException failure) throws SQLException {
    // Whoever works apart from the receipt may be overtaken; the unique key holds.
    if ("runs_receipt".equals(SqlStates.constraint(failure))) {
      return 0;
    }
    throw failure;
  }

  private UUID doOrFind(Connection connection, Claimed claimed) throws SQLException {
    // A rejection by a caller that died over committed work leaves it to be found, too.
    Optional<Run> before = RunStore.findByReceipt(connection, claimed.receiptId());
    if (before.isPresent()) {
      return before.get().id();
    }
    return RunStore.insert(
            connection, UuidV7.next(), Flow.STORE_CHECK, "{}", claimed.receiptId(), UuidV7.next())
        .id();
  }

  /** After all that, an undisturbed caller gets every key done. */
  private void finish(String key, Instant now, Map<UUID, UUID> accepted, Map<UUID, UUID> told)
      throws SQLException {
    ReceiptClaim claim = in(c -> receipts.claim(c, request(key, null), now));
    if (claim instanceof Claimed claimed) {
      workAndAccept(claimed, accepted);
      claim = in(c -> receipts.claim(c, request(key, null), now));
    }
    assertThat(claim).isInstanceOf(Duplicate.class);
    Duplicate duplicate = (Duplicate) claim;
    UUID run = java.util.Objects.requireNonNull(duplicate.runId());
    assertThat(told.computeIfAbsent(duplicate.receiptId(), id -> run)).isEqualTo(run);
  }

  private ReceiptRequest request(String key, @Nullable String content) {
    return request(tenant, key, content);
  }

  private static ReceiptRequest request(Tenant owner, String key, @Nullable String content) {
    return new ReceiptRequest(
        owner.userId(),
        key,
        content == null ? null : new Text(content),
        List.of(owner.accessKey().keyId(), "POST /x"));
  }

  private <T> T in(Database.Work<T> work) throws SQLException {
    return app.inWorkspace(tenant.workspaceId(), work);
  }

  private static final class TakenOver extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Stands for a keyed hash. */
  private record Text(String content) implements Fingerprint {
    @Override
    public String currentKeyId() {
      return "k";
    }

    @Override
    public byte @Nullable [] under(String keyId) {
      byte[] bytes = new byte[32];
      byte[] text = content.getBytes(StandardCharsets.US_ASCII);
      System.arraycopy(text, 0, bytes, 0, text.length);
      return bytes;
    }
  }

  /** What a receipt should be: the rules in a dozen lines. */
  private static final class Model {
    String status = "none";
    int number;
    String content = "";
    Instant receivedAt = START;
    @Nullable UUID run;

    String claim(String wanted, Instant now) {
      boolean known = !status.equals("none");
      if (known && !status.equals("rejected") && !content.equals(wanted)) {
        return "mismatch";
      }
      if (status.equals("accepted")) {
        return "duplicate " + run;
      }
      boolean dead = status.equals("processing") && receivedAt.isBefore(now.minusSeconds(600));
      if (status.equals("processing") && !dead) {
        return "busy";
      }
      status = "processing";
      number++;
      content = wanted;
      receivedAt = now;
      return "claimed " + number + (dead ? " reclaimed" : "");
    }

    boolean finish(int claim, String end, @Nullable UUID result) {
      if (!status.equals("processing") || number != claim) {
        return false;
      }
      status = end;
      run = result;
      return true;
    }
  }

  /** One sequence of random steps of several callers, each step a transaction. */
  private final class Steps {
    private final long seed;
    private final Random random;
    private final Tenant owner;
    private final Map<String, Model> models = new HashMap<>();
    private final Map<Integer, Held> held = new HashMap<>();
    private Instant now = START;

    private record Held(String key, Claimed claim) {}

    Steps(long seed, Tenant owner) {
      this.seed = seed;
      this.random = new Random(seed);
      this.owner = owner;
    }

    void run(int steps) throws SQLException {
      for (int step = 0; step < steps; step++) {
        int caller = random.nextInt(CALLERS);
        Held mine = held.get(caller);
        String what = "seed %d, step %d, caller %d".formatted(seed, step, caller);
        if (random.nextInt(8) == 0) {
          now = now.plusSeconds(List.of(1, 599, 600, 601, 5_000).get(random.nextInt(5)));
        } else if (mine == null) {
          claim(caller, what);
        } else {
          end(caller, mine, what);
        }
      }
    }

    private void claim(int caller, String what) throws SQLException {
      String key = KEYS.get(random.nextInt(KEYS.size()));
      String content = random.nextInt(5) == 0 ? "other" : "usual";
      String expected = model(key).claim(content, now);
      ReceiptClaim claim =
          app.inWorkspace(
              owner.workspaceId(), c -> receipts.claim(c, request(owner, key, content), now));
      assertThat(text(claim)).as(what).isEqualTo(expected);
      if (claim instanceof Claimed claimed) {
        held.put(caller, new Held(key, claimed));
      }
    }

    private void end(int caller, Held mine, String what) throws SQLException {
      int fate = random.nextInt(4);
      if (fate == 0) {
        held.remove(caller); // died
        return;
      }
      if (fate == 1) {
        return; // slow
      }
      held.remove(caller);
      UUID run = fate == 2 ? UuidV7.next() : null;
      boolean expected =
          model(mine.key())
              .finish(mine.claim().number(), run == null ? "rejected" : "accepted", run);
      boolean finished =
          app.inWorkspace(
              owner.workspaceId(),
              c ->
                  run == null
                      ? receipts.reject(c, mine.claim(), "no")
                      : receipts.accept(c, mine.claim(), run, null));
      assertThat(finished).as(what).isEqualTo(expected);
    }

    private Model model(String key) {
      return models.computeIfAbsent(key, k -> new Model());
    }

    private String text(ReceiptClaim claim) {
      if (claim instanceof Claimed claimed) {
        return "claimed " + claimed.number() + (claimed.reclaimed() ? " reclaimed" : "");
      }
      if (claim instanceof Duplicate duplicate) {
        return "duplicate " + duplicate.runId();
      }
      return claim instanceof Mismatch ? "mismatch" : claim instanceof Busy ? "busy" : "?";
    }
  }
}

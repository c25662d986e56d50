package dev.onceward.db.receipt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.db.Database;
import dev.onceward.db.UuidV7;
import dev.onceward.db.hook.HookAction;
import dev.onceward.db.hook.HookStore;
import dev.onceward.db.receipt.ReceiptClaim.Busy;
import dev.onceward.db.receipt.ReceiptClaim.Claimed;
import dev.onceward.db.receipt.ReceiptClaim.Duplicate;
import dev.onceward.db.receipt.ReceiptClaim.KeyMissing;
import dev.onceward.db.receipt.ReceiptClaim.Mismatch;
import dev.onceward.db.secret.CredentialCipher;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract of the state machine, the same over both tables. */
@ExtendWith(InfrastructureExtension.class)
class ReceiptsTest {

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private final Receipts hookReceipts = new Receipts(ReceiptTable.HOOK_RECEIPTS);
  private final Receipts apiReceipts = new Receipts(ReceiptTable.API_RECEIPTS);
  private MigratedDatabase database;
  private Database app;
  private Tenant tenant;
  private UUID hookId;

  @BeforeEach
  void open(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    app = database.app();
    tenant = database.newTenant();
    HookStore hooks = new HookStore(new CredentialCipher(Map.of("k1", new byte[32])));
    hookId =
        app.inWorkspace(
            tenant.workspaceId(),
            connection -> hooks.create(connection, "h", HookAction.RESOLVE_TODO, null).hook().id());
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  void the_first_claim_processes_and_the_second_is_busy() throws SQLException {
    assertThat(hook("k", null, NOON)).isInstanceOf(Claimed.class);
    assertThat(hook("k", null, NOON)).isInstanceOf(Busy.class);
    assertThat(hook("K", null, NOON)).isInstanceOf(Claimed.class);
  }

  @Test
  void an_accepted_one_gives_its_result_again_for_ever() throws SQLException {
    Claimed claim = claimed(hook("k", null, NOON));
    UUID run = UuidV7.next();
    assertThat(accept(claim, run)).isTrue();

    assertThat(hook("k", null, NOON.plus(Duration.ofDays(400))))
        .isEqualTo(new Duplicate(claim.receiptId(), run, null));
  }

  @Test
  void a_rejected_one_is_claimed_again_with_the_new_content() throws SQLException {
    Claimed first = claimed(hook("k", print("one"), NOON));
    assertThat(reject(first)).isTrue();

    Claimed second = claimed(hook("k", print("two"), NOON));

    assertThat(second).isEqualTo(new Claimed(first.receiptId(), 2, false));
    assertThat(hook("k", print("one"), NOON)).isInstanceOf(Mismatch.class);
    assertThat(text("SELECT coalesce(detail, 'none') FROM onceward.hook_receipts"))
        .isEqualTo("none");
  }

  @Tag("S55")
  @Test
  void processing_is_given_up_after_600_s_and_not_before() throws SQLException {
    Claimed first = claimed(hook("k", null, NOON));

    assertThat(hook("k", null, NOON.plusSeconds(600))).isInstanceOf(Busy.class);
    Claimed second = claimed(hook("k", null, NOON.plusSeconds(601)));

    assertThat(second).isEqualTo(new Claimed(first.receiptId(), 2, true));
    assertThat(hook("k", null, NOON.plusSeconds(1201))).isInstanceOf(Busy.class);
    assertThat(hook("k", null, NOON.plusSeconds(1202))).isInstanceOf(Claimed.class);
  }

  @Test
  void a_finisher_whose_claim_was_taken_over_changes_nothing() throws SQLException {
    Claimed slow = claimed(hook("k", null, NOON));
    Claimed quick = claimed(hook("k", null, NOON.plusSeconds(601)));
    UUID run = UuidV7.next();

    assertThat(accept(slow, UuidV7.next())).isFalse();
    assertThat(reject(slow)).isFalse();
    assertThat(accept(quick, run)).isTrue();
    assertThat(accept(slow, UuidV7.next())).isFalse();
    assertThat(accept(quick, UuidV7.next())).isFalse();

    assertThat(hook("k", null, NOON)).isEqualTo(new Duplicate(slow.receiptId(), run, null));
  }

  @Tag("S56")
  @Test
  void another_content_is_judged_before_staleness() throws SQLException {
    Claimed claim = claimed(hook("k", print("one"), NOON));
    assertThat(hook("k", print("two"), NOON)).isInstanceOf(Mismatch.class);
    assertThat(hook("k", print("two"), NOON.plusSeconds(9_999))).isInstanceOf(Mismatch.class);
    assertThat(hook("k", null, NOON)).isInstanceOf(Busy.class);
    assertThat(accept(claim, UuidV7.next())).isTrue();
    assertThat(hook("k", print("two"), NOON)).isInstanceOf(Mismatch.class);
    assertThat(hook("k", print("one"), NOON)).isInstanceOf(Duplicate.class);
  }

  @Test
  void a_row_without_fingerprint_is_not_compared() throws SQLException {
    accept(claimed(hook("k", null, NOON)), UuidV7.next());
    assertThat(hook("k", print("any"), NOON)).isInstanceOf(Duplicate.class);
  }

  @Test
  void a_fingerprint_of_a_key_that_is_gone_cannot_be_judged() throws SQLException {
    accept(claimed(hook("k", new Print("old", "one"), NOON)), UuidV7.next());
    assertThat(hook("k", new Print("new", "one"), NOON)).isEqualTo(new KeyMissing("old"));
  }

  @Test
  void access_keys_have_their_own_table_by_user_and_note_key_and_endpoint() throws SQLException {
    Claimed claim = claimed(api("k", "abcdefgh", "POST /a", NOON));
    app.runInWorkspace(
        tenant.workspaceId(), c -> assertThat(apiReceipts.reject(c, claim, "no")).isTrue());

    assertThat(hook("k", null, NOON)).isInstanceOf(Claimed.class);
    assertThat(api("k", "ijklmnop", "POST /b", NOON)).isInstanceOf(Claimed.class);
    assertThat(text("SELECT access_key_id || ' ' || endpoint FROM onceward.api_receipts"))
        .isEqualTo("ijklmnop POST /b");
  }

  @Test
  void the_databases_clock_counts_when_no_other_is_given() throws SQLException {
    assertThat(hook("k", null, null)).isInstanceOf(Claimed.class);
    superuser("UPDATE onceward.hook_receipts SET received_at = now() - interval '599 s'");
    assertThat(hook("k", null, null)).isInstanceOf(Busy.class);
    superuser("UPDATE onceward.hook_receipts SET received_at = now() - interval '601 s'");
    assertThat(claimed(hook("k", null, null)).reclaimed()).isTrue();
    assertThat(hook("k", null, null)).isInstanceOf(Busy.class);
  }

  @Test
  void a_row_that_vanishes_between_insert_and_look_up_counts_as_busy() throws SQLException {
    hook("k", null, NOON);
    try (Connection deleter = database.superuser();
        Statement statement = deleter.createStatement()) {
      // The insert meets the row, and the look-up finds it gone.
      statement.execute(
          """
          CREATE FUNCTION onceward.vanish() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            DELETE FROM onceward.hook_receipts WHERE idem_key = 'k';
            RETURN NULL;
          END $$
          """);
      statement.execute("GRANT EXECUTE ON FUNCTION onceward.vanish() TO onceward_app");
      statement.execute("GRANT DELETE ON onceward.hook_receipts TO onceward_app");
      statement.execute(
          "CREATE TRIGGER vanish AFTER INSERT ON onceward.hook_receipts FOR EACH STATEMENT EXECUTE FUNCTION onceward.vanish()");
    }

    assertThat(hook("k", null, NOON)).isInstanceOf(Busy.class);
  }

  @Test
  void a_deleted_hook_takes_its_receipts_along() throws SQLException {
    Claimed claim = claimed(hook("k", null, NOON));
    app.runInWorkspace(tenant.workspaceId(), c -> assertThat(HookStore.delete(c, hookId)).isTrue());

    assertThat(text("SELECT count(*) FROM onceward.hook_receipts")).isEqualTo("0");
    assertThat(accept(claim, UuidV7.next())).isFalse();
    assertThatThrownBy(() -> hook("k", null, NOON)).hasMessageContaining("hook_receipts_hook");
  }

  @Test
  void names_that_are_no_identifiers_are_refused() {
    assertThatThrownBy(() -> new ReceiptTable("a; DROP", "b", List.of(), ReceiptTable.STALE_AFTER))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private ReceiptClaim hook(String key, @Nullable Fingerprint print, @Nullable Instant now)
      throws SQLException {
    ReceiptRequest request = new ReceiptRequest(hookId, key, print, List.of());
    return app.inWorkspace(
        tenant.workspaceId(), connection -> hookReceipts.claim(connection, request, now));
  }

  private ReceiptClaim api(String key, String accessKeyId, String endpoint, Instant now)
      throws SQLException {
    ReceiptRequest request =
        new ReceiptRequest(tenant.userId(), key, null, List.of(accessKeyId, endpoint));
    return app.inWorkspace(
        tenant.workspaceId(), connection -> apiReceipts.claim(connection, request, now));
  }

  private boolean accept(Claimed claim, UUID run) throws SQLException {
    return app.inWorkspace(
        tenant.workspaceId(), connection -> hookReceipts.accept(connection, claim, run, null));
  }

  private boolean reject(Claimed claim) throws SQLException {
    return app.inWorkspace(
        tenant.workspaceId(), connection -> hookReceipts.reject(connection, claim, "no"));
  }

  private static Claimed claimed(ReceiptClaim claim) {
    assertThat(claim).isInstanceOf(Claimed.class);
    return (Claimed) claim;
  }

  private static Fingerprint print(String content) {
    return new Print("k", content);
  }

  /** Stands for a keyed hash: a text in 32 bytes, under one key. */
  private record Print(String currentKeyId, String content) implements Fingerprint {
    @Override
    public byte @Nullable [] under(String keyId) {
      byte[] bytes = new byte[32];
      byte[] text = content.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
      System.arraycopy(text, 0, bytes, 0, text.length);
      return keyId.equals(currentKeyId) ? bytes : null;
    }
  }

  private void superuser(String sql) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private String text(String sql) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}

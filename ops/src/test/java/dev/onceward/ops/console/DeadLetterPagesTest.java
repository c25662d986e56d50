package dev.onceward.ops.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.operation.NewTask;
import dev.onceward.db.test.Tenant;
import dev.onceward.ops.DeadLetterRows;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ConsoleWorld.Shared.class)
final class DeadLetterPagesTest {
  private final Tenant tenant;
  private final DeadLetterRows rows;
  private final RunningConsole console;

  DeadLetterPagesTest(ConsoleWorld shared) {
    tenant = shared.tenant();
    rows = shared.rows();
    console = shared.console();
  }

  @Test
  void a_group_that_has_changed_since_the_dry_run_stays_as_it_is() throws Exception {
    rows.operation(tenant, "stale-1", "failed", "STALE_CASE", "one cause");
    Visitor operator = Visitor.signedIn(console, Visitor.OPERATOR);
    HttpResponse<String> groups = operator.get("/dead-letters?code=STALE_CASE");
    String group = Visitor.hidden(groups, "group");
    HttpResponse<String> plan =
        operator.postFrom(groups, "/dead-letters/plan", "act", "redrive", "group", group);
    assertThat(plan.body()).contains("Redrive 1 dead letter?");
    rows.operation(tenant, "stale-2", "failed", "STALE_CASE", "one cause");
    String before = rows.everything();

    HttpResponse<String> answer =
        operator.postFrom(
            plan,
            "/dead-letters/change",
            "act",
            "redrive",
            "group",
            group,
            "fingerprint",
            Visitor.hidden(plan, "fingerprint"));

    assertThat(answer.statusCode()).isEqualTo(409);
    assertThat(answer.body()).contains("nothing was changed", "Redrive 2 dead letters?");
    assertThat(rows.everything()).isEqualTo(before);
  }

  @Test
  void discarding_needs_a_reason_without_secrets_and_is_recorded_with_the_login() throws Exception {
    NewTask task = rows.operation(tenant, "discard", "dead", "DISCARD_CASE", "a cause");
    Visitor operator = Visitor.signedIn(console, Visitor.OPERATOR);
    String id = task.operationId().toString();
    HttpResponse<String> plan =
        operator.postFrom(operator.get("/"), "/dead-letters/plan", "act", "discard", "id", id);
    String fingerprint = Visitor.hidden(plan, "fingerprint");

    for (String reason : List.of("", "see https://x/?token=abc")) {
      HttpResponse<String> refused =
          operator.postFrom(
              plan,
              "/dead-letters/change",
              "act",
              "discard",
              "id",
              id,
              "fingerprint",
              fingerprint,
              "reason",
              reason);
      assertThat(refused.statusCode()).as(reason).isEqualTo(422);
    }
    HttpResponse<String> done =
        operator.postFrom(
            plan,
            "/dead-letters/change",
            "act",
            "discard",
            "id",
            id,
            "fingerprint",
            fingerprint,
            "reason",
            "the shop was closed");
    assertThat(done.body()).contains("Were discarded: operation 1.");
    assertThat(
            rows.text(
                "SELECT acted_by || ': ' || reason FROM onceward.dead_letter_acts WHERE operation_id = '"
                    + id
                    + "'"))
        .isEqualTo("onceward_ops: the shop was closed");
    assertThat(operator.get("/actions").body())
        .contains("dead-letters discard", "--reason=the shop was closed", "onceward_ops");
  }
}

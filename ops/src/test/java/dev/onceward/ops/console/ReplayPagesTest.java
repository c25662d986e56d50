package dev.onceward.ops.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.test.Tenant;
import dev.onceward.ops.SentEvents;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ConsoleWorld.Shared.class)
final class ReplayPagesTest {
  private final SentEvents world;
  private final Tenant tenant;
  private final RunningConsole console;

  ReplayPagesTest(ConsoleWorld shared) {
    world = shared.events();
    tenant = shared.tenant();
    console = shared.console();
  }

  @Test
  void many_events_are_replayed_only_when_their_number_is_typed() throws Exception {
    Visitor operator = Visitor.signedIn(console, Visitor.OPERATOR);
    HttpResponse<String> plan =
        operator.postFrom(
            operator.get("/replays"), "/replays/plan", "type", "order.placed", "rate", "1000");
    assertThat(plan.body()).contains("Replay 1,200 events?", "Type their number");
    String before = replays();

    HttpResponse<String> unsure = start(operator, plan, "typedCount", "12");
    assertThat(unsure.statusCode()).isEqualTo(422);
    assertThat(unsure.body()).contains("Nothing was started");
    HttpResponse<String> stale = start(operator, plan, "shownCount", "1199");
    assertThat(stale.statusCode()).isEqualTo(409);
    assertThat(stale.body()).contains("nothing was started");
    assertThat(replays()).isEqualTo(before);
  }

  @Test
  void a_replay_is_cancelled_where_it_can_go_on_and_resumed_to_its_end() throws Exception {
    Visitor operator = Visitor.signedIn(console, Visitor.OPERATOR);
    long sentBefore = world.endTotal(world.topic("order"));
    HttpResponse<String> plan =
        operator.postFrom(
            operator.get("/replays"), "/replays/plan", "type", "order.placed", "rate", "300");
    String page = Visitor.location(start(operator, plan, "typedCount", "1,200"));
    operator.awaitContains(page + "/progress", "id=\"cancel\"");
    assertThat(operator.get(page + "/progress").body()).contains("hx-trigger=\"every 1s\"");

    operator.postFrom(operator.get(page), page + "/cancel");
    operator.awaitContains(page, "id=\"resume\"");
    assertThat(operator.get(page).body()).contains("INTERRUPTED");
    operator.postFrom(operator.get(page), page + "/resume");
    operator.awaitContains(page, "1,200 of 1,200 sent");

    awaitEnd(operator, page);
    assertThat(world.endTotal(world.topic("order")) - sentBefore).isEqualTo(1200);
    assertThat(
            world.superuser(
                "SELECT string_agg(operator || ' ' || command || ' ' || state, ',' ORDER BY id)"
                    + " FROM onceward.ops_actions WHERE arguments LIKE '%type=order.placed%' OR arguments = '"
                    + page.substring(page.lastIndexOf('/') + 1)
                    + "'"))
        .isEqualTo(
            "onceward_ops replay started,onceward_ops replay interrupted,onceward_ops replay resume"
                + " started,onceward_ops replay resume succeeded");
    assertThat(operator.postFrom(operator.get(page), page + "/cancel").body())
        .contains("completed by now");
  }

  @Test
  void what_is_sent_after_the_dry_run_is_no_part_of_the_replay() throws Exception {
    world.write(tenant, "thing", 3);
    world.audit();
    Visitor operator = Visitor.signedIn(console, Visitor.OPERATOR);
    HttpResponse<String> plan =
        operator.postFrom(
            operator.get("/replays"), "/replays/plan", "type", "thing.placed", "rate", "100");
    world.write(tenant, "thing", 2);
    world.audit();

    String page = Visitor.location(start(operator, plan, "rate", "100"));

    operator.awaitContains(page, "3 of 3 sent");
    awaitEnd(operator, page);
  }

  private HttpResponse<String> start(
      Visitor operator, HttpResponse<String> plan, String field, String value) throws Exception {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String name :
        List.of("to", "toEvent", "type", "rate", "shownCount", "shownFirst", "shownLast")) {
      fields.put(name, Visitor.hidden(plan, name));
    }
    fields.put(field, value);
    return operator.postFrom(
        plan,
        "/replays/start",
        fields.entrySet().stream()
            .flatMap(one -> Stream.of(one.getKey(), one.getValue()))
            .toArray(String[]::new));
  }

  private String replays() throws Exception {
    return world.superuser("SELECT count(*) FROM onceward.replays");
  }

  /** The page renews itself until the process has let go of the replay. */
  private static void awaitEnd(Visitor visitor, String page) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(visitor.get(page).body())
                    .contains("completed")
                    .doesNotContain("hx-trigger"));
  }
}

package dev.onceward.ops.console;

import static dev.onceward.ops.console.ConsoleWorld.ABSENT;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Lists and their filters. */
@ExtendWith(ConsoleWorld.Shared.class)
final class EventPagesTest {
  private final RunningConsole console;

  EventPagesTest(ConsoleWorld shared) {
    console = shared.console();
  }

  @Test
  void a_filter_that_matches_nothing_and_one_that_cannot_be_meant_say_so() throws Exception {
    Visitor reader = Visitor.signedIn(console, Visitor.READER);

    assertThat(reader.get("/events?type=no.such").body()).contains("No event matches this filter");
    assertThat(reader.get("/dead-letters?code=NO_SUCH").body())
        .contains("No dead letter matches this filter");
    for (String wrong :
        List.of(
            "/events?workspace=x",
            "/events?from=yesterday",
            "/events?from=1h&to=2h",
            "/events?status=x",
            "/events?aggregate=/x",
            "/events?after=1",
            "/dead-letters?kind=x",
            "/dead-letters?group=zz",
            "/actions?before=x")) {
      assertThat(reader.get(wrong).statusCode()).as(wrong).isEqualTo(400);
    }
    assertThat(reader.get("/life?id=no-such-id").statusCode()).isEqualTo(404);
    assertThat(reader.get("/replays/" + ABSENT).statusCode()).isEqualTo(404);
    assertThat(reader.get("/dead-letters/show?id=" + ABSENT).statusCode()).isEqualTo(404);
  }

  @Test
  void pages_of_events_follow_each_other_without_gap_or_overlap() throws Exception {
    Visitor reader = Visitor.signedIn(console, Visitor.READER);
    String first = reader.get("/events?type=order.placed").body();
    String next = first.replaceAll("(?s).*id=\"older\" rel=\"next\" href=\"([^\"]+)\".*", "$1");
    List<String> ids = ids(first);
    List<String> more = ids(reader.get(next.replace("&amp;", "&")).body());

    assertThat(ids).hasSize(50);
    assertThat(more).hasSize(50).doesNotContainAnyElementsOf(ids);
    assertThat(next).contains("type=order.placed");
  }

  private static List<String> ids(String page) {
    return Pattern.compile("class=\"id\" href=\"/life\\?id=([0-9a-f-]{36})\"")
        .matcher(page)
        .results()
        .map(result -> UUID.fromString(result.group(1)).toString())
        .toList();
  }
}

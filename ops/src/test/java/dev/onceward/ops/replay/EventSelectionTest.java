package dev.onceward.ops.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class EventSelectionTest {

  private static final Instant EIGHT = Instant.parse("2026-01-31T08:00:00Z");
  private static final UUID AT_EIGHT = new UUID(EIGHT.toEpochMilli() << 16 | 0x7000, 1L << 63);

  @Test
  void a_range_of_times_is_a_range_of_ids_with_its_end_left_out() {
    EventSelection second = times(EIGHT, EIGHT.plusSeconds(1));
    assertThat(second.lowestId()).isEqualTo(new UUID(EIGHT.toEpochMilli() << 16, 0));
    assertThat(second.highestId())
        .isEqualTo(new UUID(((EIGHT.toEpochMilli() + 999) << 16) | 0xffff, -1));
    assertThat(times(EIGHT.plusNanos(1), null).lowestId())
        .isEqualTo(new UUID((EIGHT.toEpochMilli() + 1) << 16, 0));
  }

  @Test
  void all_that_is_named_must_hold() {
    UUID later = new UUID(AT_EIGHT.getMostSignificantBits() + (5L << 16), 1L << 63);
    EventSelection both = selection(EIGHT, EIGHT.plusMillis(3), AT_EIGHT, later);
    assertThat(both.lowestId()).isEqualTo(AT_EIGHT);
    assertThat(both.highestId()).isEqualTo(times(null, EIGHT.plusMillis(3)).highestId());
    assertThat(selection(null, null, later, later).lowestId()).isEqualTo(later);
  }

  @Test
  void ids_are_compared_as_the_database_does() {
    // The first bit is set from the year 6429 on.
    UUID late = UUID.fromString("e0000000-0000-7000-8000-000000000000");
    assertThat(selection(null, null, AT_EIGHT, late).highestId()).isEqualTo(late);
    assertThat(selection(EIGHT, null, late, null).lowestId()).isEqualTo(late);
  }

  @Test
  void what_no_event_can_be_is_refused() {
    refused("empty", () -> times(EIGHT, EIGHT));
    refused("empty", () -> times(EIGHT.plusSeconds(1), EIGHT));
    refused("no time", () -> times(Instant.parse("1969-12-31T23:59:59Z"), null));
    refused("no time", () -> times(null, Instant.parse("+10000-01-01T00:00:00Z")));
    refused("do not meet", () -> selection(EIGHT.plusSeconds(1), null, null, AT_EIGHT));
    refused("do not meet", () -> selection(null, EIGHT, AT_EIGHT, null));
    refused(
        "lies behind",
        () -> selection(null, null, AT_EIGHT, new UUID(AT_EIGHT.getMostSignificantBits(), 0)));
    refused("transaction 7 lies behind 6", () -> xids(7L, 6L));
    refused("negative", () -> xids(-1L, null));
    refused(
        "needs its type",
        () -> new EventSelection(null, null, null, null, null, null, null, null, "42", null));
  }

  private static void refused(String why, Runnable made) {
    assertThatThrownBy(made::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  private static EventSelection times(@Nullable Instant from, @Nullable Instant to) {
    return selection(from, to, null, null);
  }

  private static EventSelection xids(@Nullable Long from, @Nullable Long to) {
    return new EventSelection(null, null, from, to, null, null, null, null, null, null);
  }

  private static EventSelection selection(
      @Nullable Instant from, @Nullable Instant to, @Nullable UUID first, @Nullable UUID last) {
    return new EventSelection(from, to, null, null, first, last, null, null, null, null);
  }
}

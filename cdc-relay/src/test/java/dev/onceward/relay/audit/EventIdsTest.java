package dev.onceward.relay.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.UuidV7;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EventIdsTest {
  @Test
  void it_holds_what_was_added_and_nothing_else() {
    EventIds ids = new EventIds();
    Set<UUID> expected = new HashSet<>();
    List<UUID> others = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      UUID id = UuidV7.next();
      assertThat(ids.add(id)).isEqualTo(expected.add(id));
      others.add(UuidV7.next());
      assertThat(ids.size()).isEqualTo(expected.size());
    }
    for (UUID id : expected) {
      assertThat(ids.contains(id)).isTrue();
      assertThat(ids.add(id)).isFalse();
    }
    assertThat(others).noneMatch(ids::contains);
    // Ids that differ in one half only.
    UUID one = new UUID(7, 1);
    assertThat(ids.add(one)).isTrue();
    assertThat(ids.contains(new UUID(7, 2))).isFalse();
    assertThat(ids.contains(new UUID(8, 1))).isFalse();
  }
}

package dev.onceward.relay.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.UuidV7;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CandidatesTest {
  @Test
  void what_is_not_struck_stays_in_order() {
    Candidates candidates = new Candidates();
    for (int round = 0; round < 2; round++) {
      List<UUID> added = new ArrayList<>();
      for (int i = 0; i < 10_000; i++) {
        UUID id = UuidV7.next();
        added.add(id);
        candidates.add(id, 100 + i);
      }
      List<UUID> expected = new ArrayList<>();
      for (int i = 0; i < added.size(); i++) {
        assertThat(candidates.find(added.get(i))).isEqualTo(i);
        if (i % 3 == 0) {
          expected.add(added.get(i));
        } else {
          candidates.strike(i);
          candidates.strike(i);
          assertThat(candidates.find(added.get(i))).isNegative();
        }
      }
      assertThat(candidates.find(UuidV7.next())).isNegative();
      List<UUID> left = new ArrayList<>();
      for (int row = candidates.next(0); row < candidates.size(); row = candidates.next(row + 1)) {
        assertThat(candidates.xid(row)).isEqualTo(100 + row);
        left.add(candidates.id(row));
      }
      assertThat(left).isEqualTo(expected);
      assertThat(candidates.left()).isEqualTo(expected.size());
      assertThat(candidates.anyWithin(101, 102)).isFalse();
      assertThat(candidates.anyWithin(101, 103)).isTrue();
      candidates.clear();
      assertThat(candidates.left()).isZero();
      assertThat(candidates.anyWithin(Long.MIN_VALUE, Long.MAX_VALUE)).isFalse();
    }
  }
}

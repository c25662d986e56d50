package dev.onceward.db.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SnapshotTest {
  @Test
  void it_sees_what_had_finished() {
    Snapshot snapshot = Snapshot.parse("100:110:100,104,109");
    assertThat(snapshot.sees(99)).isTrue();
    assertThat(snapshot.sees(100)).isFalse();
    assertThat(snapshot.sees(101)).isTrue();
    assertThat(snapshot.sees(104)).isFalse();
    assertThat(snapshot.sees(109)).isFalse();
    assertThat(snapshot.sees(110)).isFalse();
    assertThat(snapshot.sees(Long.MAX_VALUE)).isFalse();
    assertThat(snapshot).hasToString("100:110:100,104,109");
    assertThat(Snapshot.NOTHING.sees(1)).isFalse();
    assertThat(Snapshot.parse(Snapshot.NOTHING.toString())).isEqualTo(Snapshot.NOTHING);
  }

  @Test
  void the_lower_bits_of_an_id_are_widened_to_the_nearest_one() {
    long epoch = 1L << 32;
    Snapshot early = Snapshot.parse("5:10:");
    assertThat(early.widen(7)).isEqualTo(7);
    Snapshot behindTheTurn = Snapshot.parse((3 * epoch + 5) + ":" + (3 * epoch + 10) + ":");
    assertThat(behindTheTurn.widen(7)).isEqualTo(3 * epoch + 7);
    assertThat(behindTheTurn.widen(epoch - 2)).isEqualTo(3 * epoch - 2);
    Snapshot beforeTheTurn = Snapshot.parse((3 * epoch - 9) + ":" + (3 * epoch - 5) + ":");
    assertThat(beforeTheTurn.widen(epoch - 7)).isEqualTo(3 * epoch - 7);
    assertThat(beforeTheTurn.widen(3)).isEqualTo(3 * epoch + 3);
  }

  @Test
  void other_text_is_refused() {
    for (String text : new String[] {"", "1:2", "1:2:x", "a:2:", "1:2:3:4"}) {
      assertThatThrownBy(() -> Snapshot.parse(text))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("\"" + text + "\"");
    }
  }
}

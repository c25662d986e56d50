package dev.onceward.worker.consume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionProgressTest {

  private final PartitionProgress progress = new PartitionProgress();

  @Test
  void nothing_is_committed_before_anything_was_seen() {
    assertThat(progress.toCommit()).isEmpty();
  }

  @Test
  @Tag("S34")
  void the_lowest_unfinished_topic_offset_is_committed_whatever_is_finished_above_it() {
    PartitionProgress.Entry first = progress.arrived(10, 0);
    PartitionProgress.Entry second = progress.arrived(11, 0);
    PartitionProgress.Entry third = progress.arrived(12, 0);

    progress.finished(third);
    progress.finished(second);
    assertThat(progress.toCommit()).hasValue(10);

    progress.finished(first);
    assertThat(progress.toCommit()).hasValue(13);
  }

  @Test
  void a_gap_in_the_topic_offsets_is_stepped_over() {
    PartitionProgress.Entry before = progress.arrived(3, 0);
    PartitionProgress.Entry after = progress.arrived(900, 0);
    progress.finished(before);

    assertThat(progress.toCommit()).hasValue(900);
    assertThat(progress.behind()).isEqualTo(1);

    progress.finished(after);
    assertThat(progress.toCommit()).hasValue(901);
  }

  @Test
  void what_is_committed_is_not_committed_again_and_a_failed_commit_is() {
    progress.finished(progress.arrived(0, 0));
    assertThat(progress.toCommit()).hasValue(1);
    assertThat(progress.toCommit()).as("the first answer never came").hasValue(1);

    progress.committed(1);
    assertThat(progress.toCommit()).isEmpty();
  }

  @Test
  void a_released_partition_begins_no_attempt_but_takes_the_end_of_a_running_one()
      throws Exception {
    PartitionProgress.Entry entry = progress.arrived(0, 0);
    assertThat(progress.begin()).isTrue();
    progress.release();

    assertThat(progress.begin()).isFalse();
    assertThat(progress.awaitQuiet(1)).isFalse();
    progress.finished(entry);
    progress.end();
    assertThat(progress.awaitQuiet(0)).isTrue();
    assertThat(progress.toCommit()).hasValue(1);
  }

  @Test
  void a_topic_offset_that_goes_back_is_a_defect_and_not_repaired() {
    PartitionProgress.Entry unused = progress.arrived(5, 0);
    assertThat(unused).isNotNull();
    assertThatThrownBy(() -> progress.arrived(5, 0)).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @Tag("S34")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void in_any_order_of_ends_no_unfinished_record_is_ever_passed(long seed) {
    Random random = new Random(seed);
    TreeSet<Long> unfinished = new TreeSet<>();
    List<PartitionProgress.Entry> entries = new ArrayList<>();
    List<Long> topicOffsets = new ArrayList<>();
    long next = 0;
    long lastCommitted = 0;
    for (int step = 0; step < 20_000; step++) {
      if (entries.isEmpty() || random.nextInt(5) < 2) {
        next += 1 + random.nextInt(3);
        entries.add(progress.arrived(next, 0));
        topicOffsets.add(next);
        unfinished.add(next);
      } else {
        int which = random.nextInt(entries.size());
        progress.finished(entries.remove(which));
        unfinished.remove(topicOffsets.remove(which));
      }
      OptionalLong commit = progress.toCommit();
      if (commit.isPresent()) {
        long lowest = unfinished.isEmpty() ? next + 1 : unfinished.first();
        assertThat(commit.getAsLong()).isEqualTo(lowest).isGreaterThanOrEqualTo(lastCommitted);
        lastCommitted = commit.getAsLong();
        progress.committed(lastCommitted);
      }
    }
    assertThat(lastCommitted).isPositive();
  }
}

package dev.onceward.local.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class FaultPlanTest {

  private static final int EVERY_FAULT = 32;

  @Test
  void the_same_seed_gives_the_same_faults_and_another_seed_others() {
    assertThat(faults(7)).isEqualTo(faults(7)).isNotEqualTo(faults(8));
  }

  @Test
  void every_fault_comes_once_before_one_comes_again() {
    List<String> round =
        faults(7).stream()
            .limit(EVERY_FAULT)
            .map(each -> each.target() + " " + each.kind())
            .toList();

    assertThat(round)
        .doesNotHaveDuplicates()
        .contains("LEADER FREEZE", "POSTGRES IMMEDIATE", "POSTGRES KILL", "KAFKA FREEZE")
        .contains("POSTGRES FREEZE", "SLOT DROP", "LEADER_DATABASE BLACK_HOLE")
        .doesNotContain("SLOT KILL", "KAFKA IMMEDIATE");
  }

  private static List<PlannedFault> faults(long seed) {
    return Stream.generate(new FaultPlan(seed, EnumSet.allOf(Target.class))::next)
        .limit(2 * EVERY_FAULT)
        .toList();
  }
}

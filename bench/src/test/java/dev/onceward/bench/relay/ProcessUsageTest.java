package dev.onceward.bench.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
final class ProcessUsageTest {
  private final long self = ProcessHandle.current().pid();

  @Test
  void this_process_has_used_what_java_says_it_has() {
    double java =
        ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis() / 1000.0;

    assertThat(ProcessUsage.cpuSeconds(self)).isBetween(java - 0.1, java + 10);
    assertThat(ProcessUsage.cpuSecondsWithChildren(self)).isGreaterThanOrEqualTo(java - 0.1);
    assertThat(ProcessUsage.peakMemoryMib(self)).isBetween(10.0, 100_000.0);
    assertThat(ProcessUsage.parent(self))
        .hasValue(ProcessHandle.current().parent().orElseThrow().pid());
  }

  @Test
  void nothing_is_known_of_a_process_that_is_none() {
    assertThat(ProcessUsage.cpuSeconds(-1)).isNaN();
    assertThat(ProcessUsage.cpuSecondsWithChildren(-1)).isNaN();
    assertThat(ProcessUsage.peakMemoryMib(-1)).isNaN();
    assertThat(ProcessUsage.child("dev.onceward.NoMain")).isEmpty();
  }
}

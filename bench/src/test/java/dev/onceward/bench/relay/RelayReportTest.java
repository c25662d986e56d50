package dev.onceward.bench.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RelayReportTest {

  @Test
  void costs_are_for_100_000_events_and_medians_stand_beside_their_spread() {
    Map<String, List<Measured>> measured = new LinkedHashMap<>();
    measured.put("fast", List.of(run(30_000, 4), run(10_000, 8), run(20_000, 6)));
    RelayReport report = RelayReport.of(200_000, 3, List.of("-Xmx1m"), measured, List.of());

    RelayReport.Line line = report.contenders().get(0);
    assertThat(line.eventsPerSecond()).isEqualTo(new Spread(20_000, 10_000, 30_000));
    assertThat(line.cpuSecondsPer100k()).isEqualTo(new Spread(3, 2, 4));
    assertThat(report.table()).contains("fast").contains("20,000 (10,000 to 30,000)");
  }

  @Test
  void what_could_not_be_measured_in_each_round_is_not_reported() {
    Map<String, List<Measured>> measured =
        Map.of("fast", List.of(run(30_000, 4), run(10_000, Double.NaN)));
    RelayReport report = RelayReport.of(1_000, 2, List.of(), measured, List.of());

    assertThat(report.contenders().get(0).cpuSecondsPer100k()).isNull();
    assertThat(report.contenders().get(0).eventsPerSecond()).isNotNull();
  }

  private static Measured run(double eventsPerSecond, double cpuSeconds) {
    return new Measured(1, eventsPerSecond, eventsPerSecond, 1, 0, cpuSeconds, 1, 1, 100);
  }
}

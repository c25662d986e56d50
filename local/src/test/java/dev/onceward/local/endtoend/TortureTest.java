package dev.onceward.local.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.embedded.junit.LongFault;
import dev.onceward.local.cluster.LocalCluster;
import dev.onceward.local.torture.Torture;
import dev.onceward.local.torture.TortureOptions;
import dev.onceward.local.torture.TortureReport;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ClusterExtension.class)
final class TortureTest {

  private final PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);

  @Test
  void a_short_torture_breaks_no_guarantee(LocalCluster cluster) throws Exception {
    TortureReport report = Torture.run(cluster, TortureOptions.of(20, Duration.ofSeconds(20)), out);

    out.println(report.table());
    assertThat(report.passed()).as(report.table()).isTrue();
    assertThat(report.committed()).isGreaterThan(100);
    assertThat(report.records()).isGreaterThanOrEqualTo(report.committed());
    assertThat(report.faults()).isNotEmpty();
  }

  @Test
  @LongFault
  void an_hour_of_torture_breaks_no_guarantee(LocalCluster cluster) throws Exception {
    TortureReport report = Torture.run(cluster, TortureOptions.of(60, Duration.ofHours(1)), out);

    out.println(report.table());
    assertThat(report.passed()).as(report.table()).isTrue();
    assertThat(report.committed()).isGreaterThan(100_000);
  }
}

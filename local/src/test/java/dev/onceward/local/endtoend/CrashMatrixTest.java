package dev.onceward.local.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.local.cluster.LocalCluster;
import dev.onceward.local.matrix.Cell;
import dev.onceward.local.matrix.CrashMatrix;
import dev.onceward.local.matrix.Moment;
import dev.onceward.local.matrix.Subject;
import dev.onceward.local.matrix.TrialResult;
import dev.onceward.local.matrix.Victim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two cells of the crash matrix, once each; {@code onceward crash-matrix} runs all. */
@ExtendWith(ClusterExtension.class)
final class CrashMatrixTest {

  private static final Subject SUBJECT = new Subject("test", 0, "debezium");

  @Test
  void an_api_that_dies_before_its_commit_leaves_nothing_behind(LocalCluster cluster)
      throws Exception {
    TrialResult result =
        CrashMatrix.once(cluster, SUBJECT, new Cell(Moment.BEFORE_COMMIT, Victim.PROCESS));

    assertWhole(result);
    assertThat(result.operations()).isEqualTo(3);
  }

  @Test
  void a_relay_that_dies_between_acknowledgement_and_confirmation_loses_nothing(
      LocalCluster cluster) throws Exception {
    TrialResult result =
        CrashMatrix.once(cluster, SUBJECT, new Cell(Moment.AFTER_ACKNOWLEDGEMENT, Victim.PROCESS));

    assertWhole(result);
    assertThat(result.operations()).isEqualTo(2);
  }

  private static void assertWhole(TrialResult result) {
    assertThat(result.hit()).as("%s", result).isTrue();
    assertThat(result.violations()).as("%s", result).isZero();
    assertThat(result.records()).isGreaterThanOrEqualTo(result.events()).isPositive();
  }
}

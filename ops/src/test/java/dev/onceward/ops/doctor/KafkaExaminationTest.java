package dev.onceward.ops.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.ops.kafka.KafkaAccess;
import dev.onceward.process.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
final class KafkaExaminationTest {

  @Test
  void topics_without_a_fault_but_one_copy_warn(TestTopics topics) {
    String name = topics.create("store", 2);
    Examined findings = examine(topics, Map.of(name, 2));

    assertThat(findings.get("kafka").state()).isEqualTo(CheckState.OK);
    assertThat(findings.get("kafka").found()).contains("1 brokers").contains("metadata.version");
    assertState(findings, CheckState.OK, "topics", "topic-message-size", "topic-retention");
    // The tests' cluster has one broker.
    assertState(findings, CheckState.WARNING, "topic-replication", "topic-min-insync");
    assertThat(findings.get("topic-replication").found()).isEqualTo(name + ": one copy");
  }

  @Test
  void each_fault_of_a_topic_is_named(TestTopics topics)
      throws ExecutionException, InterruptedException {
    String wrong = topics.name("wrong");
    String compacted = topics.name("compacted");
    String pinned = topics.create("pinned", 2);
    topics
        .admin()
        .createTopics(
            List.of(
                new NewTopic(wrong, 1, (short) 1)
                    .configs(
                        Map.of(
                            "max.message.bytes", "200000",
                            "retention.ms", "3600000",
                            "min.insync.replicas", "2",
                            "unclean.leader.election.enable", "true")),
                new NewTopic(compacted, 3, (short) 1).configs(Map.of("cleanup.policy", "compact"))))
        .all()
        .get();
    Examined findings = examine(topics, Map.of(topics.name("gone"), 6, pinned, 4, compacted, 2));

    assertState(findings, CheckState.FAILED, "topics", "topic-min-insync", "topic-message-size");
    assertThat(findings.get("topics").found())
        .contains("gone is missing (6 partitions are pinned)")
        .contains(pinned + " has 2 partitions, pinned are 4")
        .contains(compacted + " has 3 partitions, used are 2");
    assertThat(findings.get("topic-min-insync").found())
        .contains("nothing can be written")
        .contains("unclean.leader.election.enable");
    assertThat(findings.get("topic-message-size").found()).contains("max.message.bytes = 200000");
    assertState(findings, CheckState.WARNING, "topic-retention");
    assertThat(findings.get("topic-retention").found())
        .contains("retention.ms = 3600000")
        .contains("cleanup.policy = compact");
  }

  private static void assertState(Examined findings, CheckState state, String... checks) {
    assertThat(List.of(checks))
        .allSatisfy(check -> assertThat(findings.get(check).state()).as(check).isEqualTo(state));
  }

  private static Examined examine(TestTopics topics, Map<String, Integer> pins) {
    KafkaAccess access =
        KafkaAccess.from(
            Settings.of(Map.of("onceward.kafka.bootstrap.servers", topics.bootstrapServers())));
    return new Examined(
        KafkaExamination.with(
            access,
            new DoctorSettings("doctor_test", topics.prefix(), Duration.ofDays(7)),
            new PartitionPins(pins, null)));
  }
}

package dev.onceward.ops.doctor;

import dev.onceward.ops.kafka.KafkaAccess;
import dev.onceward.process.StartupException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/** All checks of Kafka, by name. Stateless. */
final class KafkaExamination {

  private static final List<String> IDS =
      List.of(
          "kafka",
          "topics",
          "topic-replication",
          "topic-min-insync",
          "topic-message-size",
          "topic-retention");

  private KafkaExamination() {}

  /**
   * Asks them all.
   *
   * @param pins the relay's
   */
  static List<Finding> with(KafkaAccess access, DoctorSettings settings, PartitionPins pins) {
    try {
      Admin admin = access.admin();
      try {
        return judge(KafkaFacts.of(admin, settings.topicPrefix()), settings, pins);
      } finally {
        admin.close(Duration.ZERO);
      }
    } catch (StartupException away) {
      return without(DatabaseExamination.notAsked(away));
    } catch (KafkaException failure) {
      return without(
          Answer.failed("not checked: " + failure.getMessage(), "See the brokers' logs about it"));
    }
  }

  /** None of them could be asked. */
  static List<Finding> without(Answer reason) {
    return IDS.stream().map(id -> Finding.of(id, reason)).toList();
  }

  private static List<Finding> judge(
      KafkaFacts kafka, DoctorSettings settings, PartitionPins pins) {
    List<Answer> answers =
        List.of(
            TopicChecks.cluster(kafka),
            pins.compare(known -> TopicChecks.partitions(kafka, known)),
            TopicChecks.replication(kafka),
            TopicChecks.minInSync(kafka),
            TopicChecks.messageSize(kafka),
            TopicChecks.retention(kafka, settings.retention()));
    List<Finding> findings = new ArrayList<>();
    for (int i = 0; i < IDS.size(); i++) {
      findings.add(Finding.of(IDS.get(i), answers.get(i)));
    }
    return findings;
  }
}

package dev.onceward.ops.doctor;

import dev.onceward.ops.BuildVersion;
import dev.onceward.ops.DatabaseFailures;
import dev.onceward.ops.kafka.KafkaAccess;
import dev.onceward.process.ConfigurationException;
import dev.onceward.process.Settings;
import dev.onceward.process.StartupException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** Makes all checks. Immutable; thread-safe. */
public final class Examination {

  private final DoctorSettings wanted;
  private final KafkaAccess kafka;

  private Examination(DoctorSettings wanted, KafkaAccess kafka) {
    this.wanted = wanted;
    this.kafka = kafka;
  }

  /**
   * One that can be made again and again.
   *
   * @throws ConfigurationException naming everything that is wrong
   */
  public static Examination prepared(Settings settings) {
    DoctorSettings wanted = DoctorSettings.from(settings);
    return new Examination(wanted, KafkaAccess.from(settings));
  }

  /** Opens the connection that is examined and that the examination closes. */
  @FunctionalInterface
  public interface Login {
    Connection open() throws SQLException;
  }

  /** Makes it, as {@link #of} does. */
  public Report make(Login login) throws SQLException {
    return make(wanted, login, pins -> KafkaExamination.with(kafka, wanted, pins));
  }

  /** Looks at Kafka. */
  @FunctionalInterface
  private interface KafkaPart {
    List<Finding> with(PartitionPins pins);
  }

  /**
   * Looks at the database and at Kafka; what is away is a finding, and so are settings of Kafka
   * that are wrong.
   *
   * @throws SQLException if the database fails in a way that no operator can mend
   */
  public static Report of(Settings settings, Login login) throws SQLException {
    DoctorSettings wanted = DoctorSettings.from(settings);
    return make(wanted, login, pins -> kafka(settings, wanted, pins));
  }

  private static Report make(DoctorSettings wanted, Login login, KafkaPart kafka)
      throws SQLException {
    Clock clock = Clock.systemUTC();
    DatabaseExamination database = new DatabaseExamination(wanted, clock);
    List<Finding> findings;
    PartitionPins pins;
    try (Connection connection = login.open()) {
      connection.setReadOnly(true);
      findings = new ArrayList<>(database.with(connection));
      pins = PartitionPins.of(connection, wanted.slotName());
    } catch (SQLException failure) {
      StartupException away = DatabaseFailures.classify(failure);
      if (away == null) {
        throw failure;
      }
      findings = new ArrayList<>(database.without(away));
      pins = PartitionPins.unknown(away);
    }
    findings.addAll(kafka.with(pins));
    return Report.of(clock.instant(), BuildVersion.text(), findings);
  }

  private static List<Finding> kafka(Settings settings, DoctorSettings wanted, PartitionPins pins) {
    KafkaAccess access;
    try {
      access = KafkaAccess.from(settings);
    } catch (ConfigurationException wrong) {
      ConfigurationException.Problem first = wrong.problems().get(0);
      return KafkaExamination.without(
          Answer.failed("not checked: " + first.key() + " " + first.message(), first.remedy()));
    }
    return KafkaExamination.with(access, wanted, pins);
  }
}

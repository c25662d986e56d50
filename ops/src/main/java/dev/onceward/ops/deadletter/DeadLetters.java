package dev.onceward.ops.deadletter;

import dev.onceward.event.route.TopicNames;
import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.kafka.EventTopics;
import dev.onceward.ops.kafka.KafkaAccess;
import dev.onceward.ops.kafka.RelayRouting;
import dev.onceward.process.ExitCode;
import dev.onceward.process.Settings;
import dev.onceward.process.StartupException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The dead letters of all places as one. Kafka is asked only where its records are wanted. Confined
 * to the command's thread; close it.
 */
final class DeadLetters implements AutoCloseable {

  private final @Nullable Settings settings;
  private final TopicNames topicNames;
  private final Connection connection;
  private final ParkedDeadLetters parked;
  private final OperationDeadLetters operations;
  private @Nullable KafkaAccess kafka;

  private DeadLetters(@Nullable Settings settings, TopicNames topicNames, Connection connection) {
    this.settings = settings;
    this.topicNames = topicNames;
    this.connection = connection;
    this.parked = new ParkedDeadLetters(connection);
    this.operations = new OperationDeadLetters(connection);
  }

  /** Connects to the database, without auto-commit. */
  static DeadLetters open(OpsOptions options, String role) throws SQLException {
    Settings settings = options.settings();
    TopicNames names = EventTopics.names(settings);
    Connection connection = options.connect(settings, role);
    connection.setAutoCommit(false);
    return new DeadLetters(settings, names, connection);
  }

  /**
   * Over a connection without auto-commit. Whoever opened it closes it, and this need not be
   * closed.
   */
  static DeadLetters over(RelayRouting routing, Connection connection) {
    DeadLetters letters = new DeadLetters(null, routing.topicNames(), connection);
    letters.kafka = routing.kafka();
    return letters;
  }

  Connection connection() {
    return connection;
  }

  ParkedDeadLetters parked() {
    return parked;
  }

  OperationDeadLetters operations() {
    return operations;
  }

  /** Reads the settings of Kafka at the first need. */
  KafkaAccess kafka() {
    KafkaAccess access = kafka;
    if (access == null) {
      access = KafkaAccess.from(Objects.requireNonNull(settings, "given where Kafka is not"));
      kafka = access;
    }
    return access;
  }

  RecordDeadLetters records() {
    return new RecordDeadLetters(kafka(), topicNames);
  }

  /**
   * Gives all that match, those of one place in their order.
   *
   * @param discarded whether the discarded ones are wanted, or those that are not
   */
  void forEach(DeadLetterFilter filter, boolean discarded, Consumer<DeadLetter> each)
      throws SQLException {
    if (filter.wants(DeadLetterKind.PARKED)) {
      parked.forEach(filter, discarded, each);
    }
    if (filter.wants(DeadLetterKind.OPERATION)) {
      operations.forEach(filter, discarded, each);
    }
    if (filter.wants(DeadLetterKind.RECORD)) {
      try {
        records().forEach(connection, filter, discarded, each);
      } catch (StartupException away) {
        throw withoutKafka(away);
      }
    }
  }

  /**
   * The one dead letter that is meant: by the id of an operation or an event, or by a record's
   * place.
   *
   * @throws StartupException if there is none, or more than one
   */
  DeadLetter find(String id, DeadLetterFilter filter) throws SQLException {
    Optional<RecordPlace.Written> place = RecordPlace.parse(id);
    if (place.isPresent()) {
      return records()
          .find(connection, place.get())
          .map(RecordDeadLetters.Found::letter)
          .orElseThrow(() -> unknown("no record is at " + id));
    }
    UUID uuid;
    try {
      uuid = UUID.fromString(id);
    } catch (IllegalArgumentException neither) {
      throw new StartupException(
          ExitCode.USAGE,
          "\"" + id + "\" is neither an id nor topic/partition/topic-offset",
          "Give an id as dead-letters list shows it",
          neither);
    }
    List<DeadLetter> found = find(uuid, filter);
    if (found.size() > 1) {
      throw new StartupException(
          ExitCode.FAILURE,
          id
              + " is ambiguous, it is the event of "
              + String.join(
                  " and ", found.stream().map(one -> one.kind().label() + " " + one.id()).toList()),
          "Name one of them by its own id, or narrow with --kind",
          null);
    }
    if (found.isEmpty()) {
      Optional<String> state = operations.stateOf(uuid);
      if (state.isPresent()) {
        throw new StartupException(
            ExitCode.FAILURE,
            "operation " + id + " is " + state.get() + " and no dead letter",
            "Its life so far: onceward events show " + id,
            null);
      }
      throw unknown("no dead letter has the id " + id);
    }
    return found.get(0);
  }

  private List<DeadLetter> find(UUID id, DeadLetterFilter filter) throws SQLException {
    Optional<DeadLetter> operation =
        filter.wants(DeadLetterKind.OPERATION) ? operations.find(id) : Optional.empty();
    if (operation.isPresent()) {
      return List.of(operation.get());
    }
    List<DeadLetter> found = new ArrayList<>();
    if (filter.wants(DeadLetterKind.PARKED)) {
      parked.find(id).ifPresent(found::add);
    }
    if (filter.wants(DeadLetterKind.OPERATION)) {
      operations.findByEvent(id).ifPresent(found::add);
    }
    if (filter.wants(DeadLetterKind.RECORD)) {
      try {
        records()
            .forEach(
                connection,
                filter,
                false,
                letter -> {
                  if (id.equals(letter.eventId())) {
                    found.add(letter);
                  }
                });
      } catch (StartupException away) {
        throw withoutKafka(away);
      }
    }
    return found;
  }

  private static StartupException unknown(String message) {
    return new StartupException(
        ExitCode.FAILURE, message, "See dead-letters list for what there is", null);
  }

  private static StartupException withoutKafka(StartupException away) {
    return new StartupException(
        away.exitCode(),
        Objects.toString(away.getMessage()),
        away.remedy() + ", or leave its records out with --kind=parked,operation",
        away);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}

package dev.onceward.ops.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.onceward.event.EventHeaders;
import dev.onceward.event.route.TopicNames;
import dev.onceward.ops.kafka.KafkaFailures;
import dev.onceward.ops.replay.DeadLetterSender;
import dev.onceward.ops.replay.DeadLetterSender.Outgoing;
import dev.onceward.process.ExitCode;
import dev.onceward.process.StartupException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * Sends records back to the topic and partition that they were set aside from. Their key, value and
 * headers stay, those with the reason too: they are the record's history, and the next consumer
 * that sets it aside adds its own. Confined to the command's thread.
 */
final class RecordRedrive {

  private static final int BATCH_RECORDS = 500;
  private static final long BATCH_BYTES = 16L * 1024 * 1024;

  private final DeadLetters letters;
  private final DeadLetterActStore.Command command;
  private final Outcome outcome;
  private final RecordDeadLetters records;
  private final Map<String, Integer> partitionCounts = new HashMap<>();
  private final List<DeadLetter> batch = new ArrayList<>();
  private final List<Outgoing> outgoing = new ArrayList<>();
  private long batchBytes;

  RecordRedrive(DeadLetters letters, DeadLetterActStore.Command command, Outcome outcome) {
    this.letters = letters;
    this.command = command;
    this.outcome = outcome;
    this.records = letters.records();
  }

  void run(List<DeadLetter> chosen) throws SQLException {
    List<DeadLetter> open = DeadLetterActStore.stillOpen(letters.connection(), chosen);
    Set<DeadLetter> unseen = new HashSet<>(open);
    chosen.stream()
        .filter(letter -> !unseen.contains(letter))
        .forEach(letter -> outcome.refused(letter, "another command was quicker"));
    try (DeadLetterSender sender = new DeadLetterSender(letters.kafka().clientSettings())) {
      records.read(
          open,
          found -> {
            unseen.remove(found.letter());
            take(found);
            if (batch.size() == BATCH_RECORDS || batchBytes > BATCH_BYTES) {
              send(sender);
            }
          });
      send(sender);
    }
    unseen.forEach(letter -> outcome.refused(letter, "the record is gone"));
  }

  private void take(RecordDeadLetters.Found found) {
    Headers headers = found.record().headers();
    Optional<SetAsideRecord.Origin> said = SetAsideRecord.origin(headers);
    // Anybody may write into a topic: a record goes to no topic but the one that this is the
    // dead-letter topic of.
    if (said.isEmpty()
        || !TopicNames.deadLetterOf(said.get().topic()).equals(found.record().topic())) {
      outcome.refused(found.letter(), "it does not say where it came from");
      return;
    }
    SetAsideRecord.Origin origin = said.get();
    if (origin.partition()
        >= partitionCounts.computeIfAbsent(origin.topic(), records::partitionCount)) {
      outcome.refused(
          found.letter(),
          "there is no partition " + origin.partition() + " of " + origin.topic() + " any more");
      return;
    }
    byte @Nullable [] key = found.record().key();
    byte @Nullable [] value = found.record().value();
    batch.add(found.letter());
    outgoing.add(new Outgoing(origin.topic(), origin.partition(), key, value, marked(headers)));
    batchBytes += value == null ? 0 : value.length;
  }

  private List<Header> marked(Headers headers) {
    List<Header> marked = new ArrayList<>();
    for (Header header : headers) {
      if (!header.key().equals(EventHeaders.REPLAY_ID)) {
        marked.add(header);
      }
    }
    marked.add(
        new RecordHeader(EventHeaders.REPLAY_ID, command.replayId().toString().getBytes(UTF_8)));
    return marked;
  }

  /** Sends what was taken, and notes what Kafka has. */
  private void send(DeadLetterSender sender) throws SQLException {
    List<Optional<Exception>> results;
    try {
      results = sender.send(outgoing);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new StartupException(
          ExitCode.FAILURE, "stopped while records were sent", "Run it again", stopping);
    }
    List<DeadLetter> sent = new ArrayList<>();
    @Nullable StartupException away = null;
    for (int i = 0; i < results.size(); i++) {
      Optional<Exception> refusal = results.get(i);
      if (refusal.isEmpty()) {
        sent.add(batch.get(i));
      } else if (KafkaFailures.classify(refusal.get()) != null) {
        away = KafkaFailures.classify(refusal.get());
      } else {
        outcome.refused(
            batch.get(i), "Kafka refuses it: " + refusal.get().getClass().getSimpleName());
      }
    }
    DeadLetterActStore.insert(letters.connection(), command, sent);
    letters.connection().commit();
    sent.forEach(outcome::changed);
    batch.clear();
    outgoing.clear();
    batchBytes = 0;
    if (away != null) {
      throw away;
    }
  }
}

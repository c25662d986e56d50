package dev.onceward.bench.relay;

import dev.onceward.event.route.EventRecord;
import dev.onceward.process.Settings;
import dev.onceward.relay.RelayConfig;
import dev.onceward.relay.capture.CaptureException;
import dev.onceward.relay.capture.CaptureSettings;
import dev.onceward.relay.capture.CapturedEvent;
import dev.onceward.relay.capture.ChangeBatch;
import dev.onceward.relay.publish.Attempt;
import dev.onceward.relay.publish.PublishStatus;
import dev.onceward.relay.publish.RowPublisher;
import dev.onceward.relay.publish.TopicCatalog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Our source in front of our publisher, and nothing between them: no watermark, no audit, no
 * parking, no suppression, no metrics. What it does faster than the relay is the price of all that.
 */
public final class UnauditedMain {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private UnauditedMain() {}

  /** Runs until it is killed, with the relay's own configuration. */
  public static void main(String... arguments) throws CaptureException {
    RelayConfig config = RelayConfig.from(Settings.load(null));
    PublishStatus status = new PublishStatus();
    TopicCatalog topics =
        new TopicCatalog(config.kafka(), config.topicCreation(), (topic, present) -> present);
    try (RowPublisher publisher =
        new RowPublisher(
            config.kafka(), config.topicNames(), config.partitioner(), topics, status, PATIENCE)) {
      config.capture().source(captureSettings(config)).run(batch -> publish(publisher, batch));
    }
  }

  private static void publish(RowPublisher publisher, ChangeBatch batch)
      throws InterruptedException {
    List<EventRecord> records = new ArrayList<>(batch.events().size());
    for (CapturedEvent event : batch.events()) {
      publisher.look(publisher.topicOf(event.row()));
      records.add(publisher.build(event.row()));
    }
    Attempt attempt = publisher.attempt(records);
    if (attempt.acknowledged().size() < records.size()) {
      throw new IllegalStateException("Kafka has not taken all: " + attempt.trouble());
    }
  }

  private static CaptureSettings captureSettings(RelayConfig config) {
    return new CaptureSettings(
        config.jdbcUrl(),
        config.user(),
        config.password(),
        config.slotName(),
        Backlog.PUBLICATION,
        "onceward.outbox_events",
        config.pollInterval(),
        config.batchEvents());
  }
}

package dev.onceward.worker;

import dev.onceward.event.Envelope;
import dev.onceward.worker.claim.LogContext;
import dev.onceward.worker.claim.TaskProcessor;
import dev.onceward.worker.claim.TaskResult;
import dev.onceward.worker.consume.Delivery;
import dev.onceward.worker.consume.Disposition;
import dev.onceward.worker.deadletter.DeadLetterReason;
import dev.onceward.worker.handle.EventHandler;
import dev.onceward.worker.handle.TaskEvent;
import dev.onceward.worker.retry.Backoff;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** A record with an event that a handler here is for. */
final class TaskDelivery implements Delivery {

  private static final Backoff WHILE_AWAY =
      new Backoff(Duration.ofMillis(200), Duration.ofSeconds(2), 0.2);
  private static final Backoff WHILE_INVISIBLE =
      new Backoff(Duration.ofMillis(50), Duration.ofSeconds(5), 0.2);

  private final ConsumerRecord<byte[], byte[]> record;
  private final TaskEvent event;
  private final EventHandler handler;
  private final String kind;
  private final boolean inOrder;
  private final TaskProcessor tasks;
  private final DeadLetters deadLetters;
  private final Clock clock;
  private final Duration recent;
  private int attempts;

  /**
   * Makes one.
   *
   * @param kind of the operation that such an event asks for
   * @param inOrder whether events of the same aggregate wait for each other
   * @param recent how old an event may be for its operation to be waited for
   */
  TaskDelivery(
      ConsumerRecord<byte[], byte[]> record,
      TaskEvent event,
      EventHandler handler,
      String kind,
      boolean inOrder,
      TaskProcessor tasks,
      DeadLetters deadLetters,
      Clock clock,
      Duration recent) {
    this.record = record;
    this.event = event;
    this.handler = handler;
    this.kind = kind;
    this.inOrder = inOrder;
    this.tasks = tasks;
    this.deadLetters = deadLetters;
    this.clock = clock;
    this.recent = recent;
  }

  @Override
  public @Nullable String lane() {
    Envelope envelope = event.envelope();
    return inOrder ? envelope.aggregateType() + "/" + envelope.aggregateId() : null;
  }

  @Override
  public Disposition attempt(Runnable secured) throws InterruptedException {
    TaskResult result = tasks.process(event, handler, secured);
    attempts++;
    return switch (result) {
      case SETTLED, USED_UP -> Disposition.ACKNOWLEDGED;
      case DATABASE_AWAY ->
          Disposition.again(WHILE_AWAY.after(attempts, ThreadLocalRandom.current()));
      case NOT_VISIBLE -> notVisible();
      case STOPPING -> throw new InterruptedException("the worker stops");
    };
  }

  /** A synchronous standby can show the log, and so Kafka, before the row. */
  private Disposition notVisible() throws InterruptedException {
    Envelope envelope = event.envelope();
    if (handler.makesOperations() && tasks.makeOperation(envelope, kind)) {
      return Disposition.again(Duration.ZERO);
    }
    Instant until = envelope.occurredAt().plus(recent);
    if (clock.instant().isBefore(until)) {
      return Disposition.again(WHILE_INVISIBLE.after(attempts, ThreadLocalRandom.current()));
    }
    try (LogContext ids = LogContext.of(envelope)) {
      return deadLetters.setAside(
          record,
          DeadLetterReason.OPERATION_NOT_FOUND,
          "No operation of event %s is visible in workspace %s."
              .formatted(envelope.eventId(), envelope.workspaceId()));
    }
  }
}

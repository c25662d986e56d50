package dev.onceward.ops.event;

import dev.onceward.ops.event.EventLife.FoundRecord;
import dev.onceward.ops.show.TextTable;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes a life for people: from the request to the result, the reason last. */
final class LifeText {
  private final PrintWriter out;

  private LifeText(PrintWriter out) {
    this.out = out;
  }

  static void print(Life life, Why why, PrintWriter out) {
    LifeText text = new LifeText(out);
    text.line("found as", life.foundAs() + ", workspace " + life.workspaceId());
    if (life.requests().isEmpty()) {
      text.line(
          "request", "none is kept: answers are kept for two days, and not every event has one");
    }
    life.requests().forEach(text::request);
    life.events().forEach(text::event);
    text.line("kafka", life.kafkaNote());
    OperationLife operation = life.operation();
    if (operation != null) {
      text.operation(operation);
    }
    out.println();
    String sentence = TextTable.printable(why.sentence());
    // A cause that is quoted at its end may bring its own full stop.
    out.println(sentence.endsWith(".") ? sentence : sentence + ".");
    if (why.help() != null) {
      out.println("  " + why.help());
    }
    out.flush();
  }

  private void request(RequestLife request) {
    Integer answered = request.answerStatus();
    line(
        "request",
        request.at()
            + "  "
            + request.endpoint()
            + ", "
            + request.keptAs()
            + " "
            + request.key()
            + ", "
            + request.status()
            + (answered == null ? "" : ", answered " + answered));
  }

  private void event(EventLife event) {
    EventLife.Row row = event.row();
    if (row == null) {
      line("event", event.id() + ", of " + event.occurredAt() + "; the outbox keeps it no longer");
    } else {
      line(
          "event",
          event.id()
              + "  "
              + row.eventType()
              + " version "
              + row.payloadVersion()
              + ", "
              + row.aggregateType()
              + "/"
              + row.aggregateId());
      line("  occurred", event.occurredAt().toString());
      line("  about", row.resourceType() + "/" + row.resourceId() + named(row.businessKey()));
      line("  request id", row.requestId());
      line("  correlation", row.correlationId());
      line("  trace", row.traceparent());
      line(
          "  transaction",
          row.xid()
              + ", begun "
              + row.transactionAt()
              + (row.committedAt() == null ? "" : ", committed " + row.committedAt())
              + (row.seenByWatermark() ? ", audited" : ", not audited yet"));
      line("  payload", row.payload());
    }
    line("  status", event.status());
    parked(event.parked());
    for (FoundRecord record : event.records()) {
      line(
          "  record",
          record.at()
              + "  "
              + record.place()
              + ", "
              + record.sentAs()
              + (record.deadLetterReason() == null ? "" : " (" + record.deadLetterReason() + ")"));
    }
    if (event.records().isEmpty() && event.expected() != null) {
      line("  record", "none found; it belongs to " + event.expected());
    }
  }

  private static String named(@Nullable String businessKey) {
    return businessKey == null ? "" : ", business key " + businessKey;
  }

  private void parked(EventLife.@Nullable Parked parked) {
    if (parked != null) {
      line(
          "  parked",
          parked.parkedAt()
              + "  for "
              + parked.topic()
              + ", "
              + parked.status()
              + ", "
              + parked.attempts()
              + " attempts, "
              + parked.code()
              + (parked.summary() == null ? "" : ": " + parked.summary())
              + (parked.replayId() == null ? "" : ", redriven by replay " + parked.replayId()));
    }
  }

  private void operation(OperationLife operation) {
    line(
        "operation",
        operation.id()
            + "  "
            + operation.kind()
            + " of "
            + operation.subjectType()
            + "/"
            + operation.subjectId());
    line("  state", operation.state().label() + " since " + operation.updatedAt());
    line("  attempts", operation.attempt() + " of " + operation.maxAttempts());
    if (operation.leaseOwner() != null) {
      line("  lease", operation.leaseOwner() + ", until " + operation.leaseExpiresAt());
    }
    if (operation.nextAttemptAt() != null) {
      line("  next", operation.nextAttemptAt().toString());
    }
    if (operation.lastErrorCode() != null) {
      line(
          "  last error",
          operation.lastErrorCode()
              + (operation.lastErrorSummary() == null ? "" : ": " + operation.lastErrorSummary()));
    }
    if (operation.finishedAt() != null) {
      line("  finished", operation.finishedAt().toString());
    }
    line("  result", operation.result());
  }

  private void line(String name, @Nullable String value) {
    if (value != null) {
      out.println(String.format(Locale.ROOT, "%-14s %s", name, TextTable.printable(value)));
    }
  }
}

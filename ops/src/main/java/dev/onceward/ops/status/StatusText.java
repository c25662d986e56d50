package dev.onceward.ops.status;

import dev.onceward.ops.show.ByteText;
import dev.onceward.ops.status.PipelineStatus.Outbox;
import dev.onceward.ops.status.PipelineStatus.Relay;
import dev.onceward.ops.status.PipelineStatus.Slot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes a status for people: one line per part, the findings last. Stateless. */
final class StatusText {

  private static final List<String> STATES =
      List.of("queued", "running", "waiting_retry", "succeeded", "failed", "dead", "cancelled");

  private StatusText() {}

  static String render(PipelineStatus status) {
    StringBuilder text = new StringBuilder();
    line(
        text,
        "database",
        status.database().name()
            + ", PostgreSQL "
            + status.database().version()
            + (status.database().inRecovery() ? ", standby" : ""));
    line(text, "slot", slot(status.slot()));
    line(text, "relay", relay(status.relay(), status.at()));
    line(text, "outbox", outbox(status.outbox(), status.at()));
    line(
        text,
        "operations",
        STATES.stream()
            .map(state -> state + " " + status.operations().getOrDefault(state, 0L))
            .collect(Collectors.joining(", ")));
    for (String finding : status.findings()) {
      line(text, "! finding", finding);
    }
    return text.toString();
  }

  private static String slot(@Nullable Slot slot) {
    return slot == null
        ? "missing"
        : slot.name()
            + (slot.active() ? ", active" : ", not in use")
            + ", log "
            + slot.walStatus()
            + ", lag "
            + ByteText.of(slot.lagBytes())
            + ", retained "
            + ByteText.of(slot.retainedBytes());
  }

  private static String relay(@Nullable Relay relay, Instant now) {
    return relay == null
        ? "has recorded nothing yet"
        : relay.name()
            + ", delivered "
            + ago(relay.deliveredAt(), now)
            + ", audited "
            + ago(relay.auditedAt(), now);
  }

  private static String outbox(Outbox outbox, Instant now) {
    return "events "
        + outbox.events()
        + ", newest "
        + ago(outbox.newestAt(), now)
        + ", parked "
        + outbox.parked()
        + ", dead letters "
        + outbox.deadLetters();
  }

  private static String ago(@Nullable Instant then, Instant now) {
    if (then == null) {
      return "never";
    }
    Duration age = Duration.between(then, now);
    return String.format(Locale.ROOT, "%.1f s ago", Math.max(0, age.toMillis()) / 1000.0);
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(String.format(Locale.ROOT, "%-11s %s%n", name, value));
  }
}

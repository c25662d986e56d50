package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.event.RawJson;
import dev.onceward.event.route.OutboxRow;
import dev.onceward.relay.capture.CapturedEvent;
import dev.onceward.relay.publish.Acknowledged;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeliveryTracesTest {
  private static final Instant COMMITTED = Instant.parse("2026-01-02T03:04:05.006Z");

  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(spans)).build();
  private final DeliveryTraces traces = new DeliveryTraces(provider.get("test"));

  @AfterEach
  void close() {
    provider.close();
  }

  @Test
  void a_delivery_continues_the_trace_of_its_writer_from_commit_to_acknowledgement() {
    deliver("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");

    assertThat(spans.getFinishedSpanItems()).hasSize(1);
    SpanData span = spans.getFinishedSpanItems().get(0);
    assertThat(span.getTraceId()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
    assertThat(span.getParentSpanId()).isEqualTo("b7ad6b7169203331");
    assertThat(span.getName()).isEqualTo("deliver order.placed");
    assertThat(span.getStartEpochNanos())
        .isEqualTo(TimeUnit.MILLISECONDS.toNanos(COMMITTED.toEpochMilli()));
    assertThat(TimeUnit.NANOSECONDS.toMillis(span.getEndEpochNanos() - span.getStartEpochNanos()))
        .isEqualTo(250);
    assertThat(span.getAttributes().asMap().toString()).contains("orders").doesNotContain("marker");
  }

  @Test
  void an_event_without_a_trace_begins_none() {
    deliver(null);

    assertThat(spans.getFinishedSpanItems()).isEmpty();
  }

  private void deliver(@Nullable String traceparent) {
    UUID id = UUID.randomUUID();
    OutboxRow row =
        new OutboxRow(
            id,
            UUID.randomUUID(),
            "order.placed",
            1,
            "order",
            "7",
            "order",
            "7",
            null,
            null,
            null,
            traceparent,
            RawJson.of("\"marker\""));
    traces.delivered(
        new CapturedEvent(row, 1, 2, COMMITTED),
        new Acknowledged(id, new TopicPartition("orders", 3), 4, 5),
        COMMITTED.plusMillis(250));
  }
}

package dev.onceward.event.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.event.EnvelopeCodec;
import dev.onceward.event.EventHeaders;
import dev.onceward.event.RawJson;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordBuilderTest {
  private static final UUID EVENT = UUID.fromString("0193779f-0c04-7abc-8def-0123456789ab");
  private static final UUID WORKSPACE = UUID.fromString("0193779f-0c00-7000-8000-000000000001");

  @Test
  void a_row_becomes_a_record_keyed_by_the_event_id() throws Exception {
    RecordBuilder builder =
        new RecordBuilder(
            TopicNames.withPrefix(TopicNames.DEFAULT_PREFIX), Partitioner.AGGREGATE, topic -> 6);
    OutboxRow row = row("7", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");

    EventRecord record = builder.build(row);

    assertThat(record.topic()).isEqualTo("onceward.order");
    assertThat(new String(record.key(), StandardCharsets.US_ASCII)).isEqualTo(EVENT.toString());
    assertThat(EnvelopeCodec.decode(record.value())).isEqualTo(row.toEnvelope());
    assertThat(
            record.headers().stream()
                .collect(
                    Collectors.toMap(
                        Header::key, h -> new String(h.value(), StandardCharsets.UTF_8))))
        .isEqualTo(
            Map.of(
                EventHeaders.EVENT_TYPE,
                "order.placed",
                EventHeaders.WORKSPACE_ID,
                WORKSPACE.toString(),
                EventHeaders.PAYLOAD_VERSION,
                "2",
                EventHeaders.TRACEPARENT,
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));
    assertThat(record.sizeBytes())
        .isEqualTo(36 + record.value().length + 10 + 12 + 12 + 36 + 15 + 1 + 11 + 55);
    assertThat(record.toString()).contains(EVENT.toString()).doesNotContain("secret-marker");
    assertThat(EventHeaders.text(new RecordHeaders(record.headers()), "event_type"))
        .contains("order.placed");
    assertThat(EventHeaders.text(new RecordHeaders(), "event_type")).isEmpty();
  }

  @Test
  void a_row_without_trace_context_has_no_such_header() {
    RecordBuilder builder =
        new RecordBuilder(TopicNames.withPrefix(""), Partitioner.EVENT_ID, topic -> 1);

    assertThat(builder.build(row("7", null)).headers())
        .extracting(Header::key)
        .containsExactly("event_type", "workspace_id", "payload_version");
  }

  @Test
  void the_time_of_an_event_is_the_time_inside_its_id() {
    assertThat(row("7", null).occurredAt()).isEqualTo(Instant.ofEpochMilli(0x0193779f0c04L));
  }

  /** Fixed numbers: a changed hash would move aggregates and break their order. */
  @ParameterizedTest
  @CsvSource({"7, 6, 4", "8, 6, 2", "Ünïcode, 6, 1", "7, 1, 0", "7, 1000, 908"})
  void the_partition_of_an_aggregate_never_changes(String aggregateId, int count, int partition) {
    assertThat(Partitioner.AGGREGATE.partitionOf(row(aggregateId, null), count))
        .isEqualTo(partition);
  }

  @Test
  void the_event_id_can_decide_instead() {
    assertThat(Partitioner.EVENT_ID.partitionOf(row("7", null), 1000))
        .isEqualTo(Partitioner.EVENT_ID.partitionOf(row("8", null), 1000))
        .isEqualTo(189);
    assertThatThrownBy(() -> Partitioner.EVENT_ID.partitionOf(row("7", null), 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_route_by_event_type_goes_before_one_by_aggregate_type() {
    TopicNames names = new TopicNames("p.", Map.of("order.placed", "placed", "order", "orders"));

    assertThat(names.topicOf("order.placed", "order")).isEqualTo("placed");
    assertThat(names.topicOf("order.paid", "order")).isEqualTo("orders");
    assertThat(names.topicOf("order.paid", "invoice")).isEqualTo("p.invoice");
    assertThat(TopicNames.deadLetterOf("p.invoice")).isEqualTo("p.invoice-dead-letter");
  }

  @Test
  void routes_are_read_as_an_operator_writes_them() {
    assertThat(TopicNames.parse("p.", " order.placed = placed , order=orders"))
        .isEqualTo(new TopicNames("p.", Map.of("order.placed", "placed", "order", "orders")));
    assertThat(TopicNames.parse("p.", " ")).isEqualTo(TopicNames.withPrefix("p."));
  }

  @ParameterizedTest
  @ValueSource(strings = {"order", "=orders", "order=a=b", "order=a,order=b", "order=a,", "order="})
  void routes_that_are_none_are_refused_and_named(String routes) {
    assertThatThrownBy(() -> TopicNames.parse("p.", routes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "a b", "a/b", "ünïcode"})
  void a_topic_that_kafka_refuses_is_refused_at_once(String topic) {
    assertThatThrownBy(() -> new TopicNames("p.", Map.of("order", topic)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"order\"")
        .hasMessageContaining("\"" + topic + "\"");
  }

  @Test
  void a_prefix_that_kafka_refuses_is_refused_at_once() {
    assertThatThrownBy(() -> TopicNames.withPrefix("a b"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> TopicNames.withPrefix("a".repeat(118)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(
            TopicNames.deadLetterOf(
                    TopicNames.withPrefix("a".repeat(117)).topicOf("x", "b".repeat(120)))
                .length())
        .isEqualTo(249);
  }

  private static OutboxRow row(String aggregateId, @Nullable String traceparent) {
    return new OutboxRow(
        EVENT,
        WORKSPACE,
        "order.placed",
        2,
        "order",
        aggregateId,
        "order",
        "7",
        null,
        null,
        null,
        traceparent,
        RawJson.of("{\"a\":\"secret-marker\"}"));
  }
}

package dev.onceward.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.api.TestClient;
import dev.onceward.db.workspace.Role;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RequestTracesTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "b7ad6b7169203331";

  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(spans)).build();
  private final HttpServer server =
      HttpServer.start(
          new HttpOptions("127.0.0.1", 0, 1_000, Duration.ofSeconds(60), Duration.ofSeconds(5)),
          List.of(
              Route.get(
                  "/things/{id}",
                  request ->
                      new Answer(200, Map.of(), String.valueOf(request.ids().traceparent()))),
              Route.get(
                  "/defect",
                  request -> {
                    throw new IllegalStateException("provoked");
                  }),
              Route.open("/probe", request -> new Answer(200, Map.of(), ""))),
          authorization -> new Caller(UUID.randomUUID(), UUID.randomUUID(), "key", Role.MEMBER),
          new RateLimit(1_000, 1_000),
          new SimpleMeterRegistry(),
          provider.get("test"));
  private final TestClient client = new TestClient(server.port(), "any");

  @BeforeEach
  void forget() {
    spans.reset();
  }

  @AfterAll
  void stop() {
    server.close();
    provider.close();
  }

  @Test
  void the_span_continues_the_clients_trace_and_what_follows_continues_the_span() {
    String passedOn =
        client.get("/things/1", "traceparent", "00-" + TRACE + "-" + PARENT + "-01").body();

    SpanData span = onlySpan();
    assertThat(span.getTraceId()).isEqualTo(TRACE);
    assertThat(span.getParentSpanId()).isEqualTo(PARENT);
    assertThat(span.getKind()).isEqualTo(SpanKind.SERVER);
    assertThat(span.getName()).isEqualTo("GET /things/{id}");
    assertThat(span.getAttributes().asMap().toString())
        .contains("http.response.status_code=200")
        .doesNotContain("things/1");
    assertThat(passedOn).isEqualTo("00-" + TRACE + "-" + span.getSpanId() + "-01");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00-" + TRACE + "-" + PARENT,
        "00-00000000000000000000000000000000-" + PARENT + "-01",
        "ff-" + TRACE + "-" + PARENT + "-01",
        "x"
      })
  void a_malformed_traceparent_is_ignored(String malformed) {
    String passedOn = client.get("/things/1", "traceparent", malformed).expect(200).body();

    SpanData span = onlySpan();
    assertThat(span.getTraceId()).isNotEqualTo(TRACE);
    assertThat(span.getParentSpanContext().isValid()).isFalse();
    assertThat(passedOn).contains(span.getTraceId(), span.getSpanId());
  }

  @Test
  void a_failure_of_ours_is_an_error_and_probes_leave_no_span() {
    client.get("/probe").expect(200);
    client.get("/defect").expect(500);

    assertThat(onlySpan().getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
  }

  private SpanData onlySpan() {
    await().until(() -> !spans.getFinishedSpanItems().isEmpty());
    assertThat(spans.getFinishedSpanItems()).hasSize(1);
    return spans.getFinishedSpanItems().get(0);
  }
}

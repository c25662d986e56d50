package dev.onceward.worker.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.Database;
import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.TaskWriter;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.outbox.OutboxReader;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.worker.handle.EventHandler;
import dev.onceward.worker.handle.HandledType;
import dev.onceward.worker.handle.HandlerResult;
import dev.onceward.worker.handle.RetriableTaskException;
import dev.onceward.worker.handle.TaskAttempt;
import dev.onceward.worker.handle.TaskEvent;
import dev.onceward.worker.retry.Backoff;
import dev.onceward.worker.retry.DatabaseStatus;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(InfrastructureExtension.class)
class TaskTracesTest {

  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "b7ad6b7169203331";
  private static final String TRACEPARENT = "00-" + TRACE + "-" + PARENT + "-01";

  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(spans)).build();
  private final AtomicReference<@Nullable String> passedOn = new AtomicReference<>();
  private MigratedDatabase database;
  private Database app;
  private Tenant tenant;

  @BeforeEach
  void open(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    app = database.app();
    tenant = database.newTenant();
  }

  @AfterEach
  void close() throws SQLException {
    provider.close();
    database.close();
  }

  @Test
  void an_attempt_continues_the_requests_trace_and_its_calls_continue_the_attempt()
      throws Exception {
    attempt(provider.get("test"), TRACEPARENT, false);

    SpanData span = onlySpan();
    assertThat(span.getTraceId()).isEqualTo(TRACE);
    assertThat(span.getParentSpanId()).isEqualTo(PARENT);
    assertThat(span.getKind()).isEqualTo(SpanKind.CONSUMER);
    assertThat(span.getName()).isEqualTo("task thing.wanted");
    assertThat(span.getAttributes().asMap().toString())
        .contains("onceward.end=succeeded")
        .contains("onceward.attempt=1");
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(passedOn.get()).isEqualTo("00-" + TRACE + "-" + span.getSpanId() + "-01");
  }

  @Test
  void an_attempt_that_fails_says_so_by_its_code() throws Exception {
    attempt(provider.get("test"), TRACEPARENT, true);

    assertThat(onlySpan().getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(onlySpan().getStatus().getDescription()).isEqualTo("AWAY");
    assertThat(onlySpan().getAttributes().asMap().toString()).contains("onceward.end=retried");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00-00000000000000000000000000000000-" + PARENT + "-01",
        "01-" + TRACE + "-" + PARENT + "-01",
        "x"
      })
  void a_malformed_trace_is_ignored(String malformed) throws Exception {
    attempt(provider.get("test"), malformed, false);
    assertThat(onlySpan().getTraceId()).isNotEqualTo(TRACE);
    assertThat(onlySpan().getParentSpanId()).isEqualTo("0000000000000000");
  }

  @Test
  void without_an_exporter_the_requests_trace_is_passed_on() throws Exception {
    attempt(TracerProvider.noop().get("test"), TRACEPARENT, false);
    assertThat(passedOn.get()).isEqualTo(TRACEPARENT);
  }

  private SpanData onlySpan() {
    List<SpanData> finished = spans.getFinishedSpanItems();
    assertThat(finished).hasSize(1);
    return finished.get(0);
  }

  private void attempt(Tracer tracer, String traceparent, boolean fails) throws Exception {
    NewTask task = NewTask.of("do_thing", NewEvent.of("thing.wanted", "thing", "a", "{}"));
    app.runInWorkspace(tenant.workspaceId(), connection -> TaskWriter.append(connection, task));
    TaskEvent event =
        app.inWorkspace(
            tenant.workspaceId(),
            connection ->
                new TaskEvent(
                    OutboxReader.find(connection, task.event().id()).orElseThrow().toEnvelope(),
                    traceparent));
    TaskProcessor tasks =
        new TaskProcessor(
            app,
            "worker",
            new TaskTimes(
                Duration.ofSeconds(30),
                Duration.ofSeconds(10),
                Duration.ofSeconds(60),
                new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1), 0)),
            1,
            new DatabaseStatus(),
            new TaskMetrics(new SimpleMeterRegistry()),
            new TaskTraces(tracer));
    assertThat(tasks.process(event, new Recorder(fails), () -> {})).isEqualTo(TaskResult.SETTLED);
    tasks.close();
  }

  private final class Recorder implements EventHandler {
    private final boolean fails;

    Recorder(boolean fails) {
      this.fails = fails;
    }

    @Override
    public Collection<HandledType> handledTypes() {
      return List.of(new HandledType("thing.wanted", 1, "thing", "do_thing"));
    }

    @Override
    public HandlerResult handle(TaskAttempt attempt) throws RetriableTaskException {
      passedOn.set(attempt.event().traceparent());
      if (fails) {
        throw new RetriableTaskException("AWAY", "Not now.");
      }
      return HandlerResult.of(null);
    }
  }
}

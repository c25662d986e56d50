package dev.onceward.relay;

import dev.onceward.process.HealthChecks;
import dev.onceward.process.SpanExport;
import dev.onceward.relay.audit.AuditMetrics;
import dev.onceward.relay.capture.CaptureSettings;
import dev.onceward.relay.capture.ChangeSource;
import dev.onceward.relay.park.ParkedStatus;
import dev.onceward.relay.publish.KafkaProbe;
import dev.onceward.relay.publish.PublishStatus;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;

/** A running relay. {@link #close} ends it and lets the batch in hand finish first. */
public final class Relay implements AutoCloseable {
  private final StreamSupervisor supervisor;
  private final KafkaProbe probe;
  private final SpanExport spans;

  private Relay(StreamSupervisor supervisor, KafkaProbe probe, SpanExport spans) {
    this.supervisor = supervisor;
    this.probe = probe;
    this.spans = spans;
  }

  /**
   * Starts a relay and returns at once; its health tells how far it has come.
   *
   * @param drainPatience how long {@link #close} lets the batch in hand finish
   * @param onFatal called once, by the relay's thread, when it has ended for a reason that no
   *     waiting mends
   */
  public static Relay start(
      RelayConfig config,
      MeterRegistry registry,
      HealthChecks checks,
      Duration drainPatience,
      Consumer<RuntimeException> onFatal) {
    return start(config, registry, checks, drainPatience, onFatal, config.capture()::source);
  }

  /** With other sources than the configured ones. */
  static Relay start(
      RelayConfig config,
      MeterRegistry registry,
      HealthChecks checks,
      Duration drainPatience,
      Consumer<RuntimeException> onFatal,
      Function<CaptureSettings, ChangeSource> sources) {
    RelayStatus status = new RelayStatus();
    PublishStatus publishing = new PublishStatus();
    KafkaProbe probe = new KafkaProbe(config.kafka(), publishing);
    ParkedStatus parked = new ParkedStatus(registry);
    RelayHealth.register(checks, status, publishing, probe, parked);
    SpanExport spans = new SpanExport("onceward-relay", config.tracingEndpoint());
    RelayMetrics metrics =
        new RelayMetrics(registry, status, publishing, new DeliveryTraces(spans.tracer()));
    StreamSupervisor supervisor =
        new StreamSupervisor(
            config,
            status,
            publishing,
            metrics,
            new AuditMetrics(registry),
            parked,
            drainPatience,
            onFatal,
            sources);
    probe.start();
    supervisor.start();
    return new Relay(supervisor, probe, spans);
  }

  @Override
  public void close() {
    supervisor.close();
    probe.close();
    spans.close();
  }
}

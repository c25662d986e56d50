package dev.onceward.api;

import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import org.jspecify.annotations.Nullable;

/** Where spans go: to an OpenTelemetry collector, or nowhere. Thread-safe; close sends the rest. */
final class Tracing implements AutoCloseable {
  private static final String NAME = "onceward-api";
  private final @Nullable SdkTracerProvider provider;

  private Tracing(@Nullable SdkTracerProvider provider) {
    this.provider = provider;
  }

  /**
   * @param endpoint of the collector's OTLP over HTTP, null to record nothing
   */
  static Tracing to(@Nullable String endpoint) {
    if (endpoint == null) {
      return new Tracing(null);
    }
    // Sends behind the requests from a bounded queue; what does not fit is dropped.
    BatchSpanProcessor processor =
        BatchSpanProcessor.builder(OtlpHttpSpanExporter.builder().setEndpoint(endpoint).build())
            .build();
    return new Tracing(
        SdkTracerProvider.builder()
            .setResource(Resource.getDefault().toBuilder().put("service.name", NAME).build())
            .addSpanProcessor(processor)
            .build());
  }

  Tracer tracer() {
    return (provider == null ? TracerProvider.noop() : provider).get(NAME);
  }

  @Override
  public void close() {
    if (provider != null) {
      provider.close();
    }
  }
}

package dev.onceward.worker;

import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import org.jspecify.annotations.Nullable;

/** Where spans go: to an OpenTelemetry collector, or nowhere. Thread-safe; close sends the rest. */
final class SpanExport implements AutoCloseable {

  private static final String NAME = "onceward-workers";

  private final @Nullable SdkTracerProvider provider;

  /**
   * Makes one; the collector need not be there yet.
   *
   * @param endpoint of the collector's OTLP over HTTP; null to record nothing
   */
  SpanExport(@Nullable String endpoint) {
    provider = endpoint == null ? null : provider(endpoint);
  }

  /** Sends behind the tasks from a bounded queue; what does not fit is dropped. */
  private static SdkTracerProvider provider(String endpoint) {
    return SdkTracerProvider.builder()
        .setResource(Resource.getDefault().toBuilder().put("service.name", NAME).build())
        .addSpanProcessor(
            BatchSpanProcessor.builder(OtlpHttpSpanExporter.builder().setEndpoint(endpoint).build())
                .build())
        .build();
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

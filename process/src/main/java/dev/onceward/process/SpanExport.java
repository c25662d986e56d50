package dev.onceward.process;

import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import org.jspecify.annotations.Nullable;

/** Where spans go: to an OpenTelemetry collector, or nowhere. Thread-safe; close sends the rest. */
public final class SpanExport implements AutoCloseable {
  private final String serviceName;
  private final @Nullable SdkTracerProvider provider;

  /**
   * Makes one; the collector need not be there yet.
   *
   * @param serviceName the process, such as {@code onceward-api}
   * @param endpoint of the collector's OTLP over HTTP; null to record nothing
   */
  public SpanExport(String serviceName, @Nullable String endpoint) {
    this.serviceName = serviceName;
    provider = endpoint == null ? null : provider(serviceName, endpoint);
  }

  /** Sends behind the work from a bounded queue; what does not fit is dropped. */
  private static SdkTracerProvider provider(String serviceName, String endpoint) {
    return SdkTracerProvider.builder()
        .setResource(Resource.getDefault().toBuilder().put("service.name", serviceName).build())
        .addSpanProcessor(
            BatchSpanProcessor.builder(OtlpHttpSpanExporter.builder().setEndpoint(endpoint).build())
                .build())
        .build();
  }

  /** Begins spans; they are recorded only where there is a collector. */
  public Tracer tracer() {
    return (provider == null ? TracerProvider.noop() : provider).get(serviceName);
  }

  @Override
  public void close() {
    if (provider != null) {
      provider.close();
    }
  }
}

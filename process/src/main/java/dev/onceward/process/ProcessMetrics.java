package dev.onceward.process;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmHeapPressureMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.logging.LogbackMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/**
 * The metrics registry of a process, with what every JVM reports: memory, garbage collection,
 * threads, CPU, logs.
 */
public final class ProcessMetrics {
  private ProcessMetrics() {}

  /**
   * A new registry; close it with the process.
   *
   * @param process the value of the tag {@code process} on every metric
   */
  public static PrometheusMeterRegistry registry(String process) {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry.config().commonTags(Tags.of("process", process));
    new JvmMemoryMetrics().bindTo(registry);
    // These two listen to the JVM's own beans, which end with it.
    new JvmGcMetrics().bindTo(registry);
    new JvmHeapPressureMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    new LogbackMetrics().bindTo(registry);
    return registry;
  }
}

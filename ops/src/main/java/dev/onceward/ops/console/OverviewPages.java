package dev.onceward.ops.console;

import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.console.http.Reply;
import dev.onceward.ops.console.http.Route;
import dev.onceward.ops.console.pipeline.Picture;
import dev.onceward.ops.console.pipeline.PipelineWatch;
import dev.onceward.ops.console.pipeline.Sample;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The pipeline at a glance. Thread-safe. */
final class OverviewPages {
  private final Guard guard;
  private final Pages pages;
  private final PipelineWatch watch;
  private final String workerGroup;

  OverviewPages(Guard guard, Pages pages, PipelineWatch watch, String workerGroup) {
    this.guard = guard;
    this.pages = pages;
    this.watch = watch;
    this.workerGroup = workerGroup;
  }

  List<Route> routes() {
    return List.of(
        guard.get(
            "/",
            (request, session) ->
                pages.page(
                    200,
                    session,
                    "overview",
                    "overview",
                    "Overview",
                    Map.of("picture", picture()))),
        guard.get(
            "/live",
            (request, session) ->
                Reply.page(200, pages.part("live", Map.of("picture", picture())))),
        guard.get("/samples", (request, session) -> Reply.json(200, samples())));
  }

  private Picture picture() {
    List<Sample> samples = watch.history().all();
    return Picture.of(
        watch.database(),
        watch.kafka(),
        workerGroup,
        samples.isEmpty() ? null : samples.get(samples.size() - 1));
  }

  /** Columns of the last hour: Unix seconds, then a series each. */
  record Series(
      List<Long> at,
      List<@Nullable Double> eventsPerSecond,
      List<@Nullable Double> finishedPerSecond,
      List<@Nullable Double> relayLagSeconds,
      List<@Nullable Double> medianSeconds,
      List<@Nullable Double> p95Seconds) {}

  private String samples() {
    List<Sample> all = watch.history().all();
    return OpsOptions.toJson(
        new Series(
            all.stream().map(one -> one.at().getEpochSecond()).toList(),
            column(all, Sample::eventsPerSecond),
            column(all, Sample::finishedPerSecond),
            column(all, Sample::relayLagSeconds),
            column(all, Sample::medianSeconds),
            column(all, Sample::p95Seconds)));
  }

  private static List<@Nullable Double> column(
      List<Sample> samples, Function<Sample, @Nullable Double> value) {
    List<@Nullable Double> column = new ArrayList<>();
    samples.forEach(sample -> column.add(value.apply(sample)));
    return Collections.unmodifiableList(column);
  }
}

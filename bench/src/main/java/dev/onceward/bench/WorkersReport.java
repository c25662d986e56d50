package dev.onceward.bench;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.onceward.local.report.ReportOptions;
import java.util.Locale;

/**
 * What the workers did in comparison. Tasks per second, each of them one claim and one finish.
 *
 * @param tasks measured with each variant
 * @param concurrency of the worker, and clients of pgbench
 * @param cores that everything shared
 * @param batched the worker as it is
 * @param alone the worker with one transaction for each claim and each end
 * @param bareStatements pgbench with a claim and a finish by id, each a transaction
 */
record WorkersReport(
    int tasks, int concurrency, int cores, double batched, double alone, double bareStatements)
    implements ReportOptions.Report {

  @Override
  @JsonIgnore
  public String name() {
    return "workers";
  }

  /** As a table for people. */
  @Override
  public String table() {
    return String.format(
        Locale.ROOT,
        """
        %d tasks with a handler that does nothing, %d at a time, everything on %d cores

        worker                       %8.0f tasks/s
        worker, batching off         %8.0f tasks/s    worker is %.1f times as fast
        pgbench, bare statements     %8.0f tasks/s    worker is %.2f times as fast
        """,
        tasks,
        concurrency,
        cores,
        batched,
        alone,
        batched / alone,
        bareStatements,
        batched / bareStatements);
  }
}

package dev.onceward.bench.relay;

import dev.onceward.bench.Latencies;
import dev.onceward.bench.relay.LiveLoad.Written;
import dev.onceward.embedded.ChildProcess;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/** One run of one contender beside a steady load. Stateless. */
final class LiveHeat {
  private static final Duration ARRIVAL_LIMIT = Duration.ofMinutes(2);
  private static final Duration IDLE = Duration.ofSeconds(5);
  private static final Duration END_LIMIT = Duration.ofSeconds(30);
  private static final int WARM_UP_ROWS = 5_000;
  private static final int WARM_UP_RATE = 1_000;
  private static final int TAIL_LINES = 20;

  /**
   * What a run gave.
   *
   * @param rates rows per second → what was measured at that rate
   * @param idleCpuPercent of one core, when nothing was written at all
   */
  record Result(Map<Integer, LiveMeasured> rates, double idleCpuPercent) {}

  private LiveHeat() {}

  /**
   * Lets one contender bring rows as they are written: a warm-up, then each rate in turn, then
   * nothing.
   *
   * @throws IllegalStateException if it ends, or a row does not arrive
   */
  static Result run(Contender contender, Lane lane, List<Integer> rates, int seconds)
      throws IOException, SQLException, InterruptedException, ExecutionException {
    contender.prepareLive(lane);
    try (ChildProcess process = contender.command(lane).start();
        LiveWatch watch = new LiveWatch(lane);
        LiveLoad load = new LiveLoad(lane.servers(), contender.url(lane), contender.insert())) {
      awaitAll(process, watch, load.write(1, 1));
      awaitAll(process, watch, load.write(WARM_UP_ROWS, WARM_UP_RATE));
      Map<Integer, LiveMeasured> measured = new LinkedHashMap<>();
      for (int rate : rates) {
        measured.put(rate, measure(process, watch, load, rate, seconds));
      }
      double idle = idle(process);
      if (!process.stop(END_LIMIT)) {
        process.kill();
      }
      return new Result(measured, idle);
    }
  }

  private static LiveMeasured measure(
      ChildProcess process, LiveWatch watch, LiveLoad load, int rate, int seconds)
      throws InterruptedException, ExecutionException {
    double cpuBefore = ProcessUsage.cpuSeconds(process.pid());
    long began = System.nanoTime();
    Written written = load.write(rate * seconds, rate);
    double cpu = ProcessUsage.cpuSeconds(process.pid()) - cpuBefore;
    double took = (System.nanoTime() - began) / 1e9;
    awaitAll(process, watch, written);
    long[] nanos = new long[written.committedNanos().size()];
    for (int row = 0; row < nanos.length; row++) {
      Long arrived = watch.arrived(written.first() + row);
      // A record can be there before the commit's answer is.
      nanos[row] = arrived == null ? 0 : Math.max(0, arrived - written.committedNanos().get(row));
    }
    Latencies latencies = new Latencies(nanos);
    return new LiveMeasured(
        latencies.percentileMillis(0.50),
        latencies.percentileMillis(0.99),
        latencies.maxMillis(),
        100 * cpu / took);
  }

  private static void awaitAll(ChildProcess process, LiveWatch watch, Written written)
      throws InterruptedException {
    for (long number = written.first(); number <= written.last(); number++) {
      if (!watch.await(number, ARRIVAL_LIMIT)) {
        throw new IllegalStateException(
            process.name()
                + " has not brought row "
                + number
                + " within "
                + ARRIVAL_LIMIT.toSeconds()
                + " s; its last lines:\n"
                + String.join("\n", process.outputTail(TAIL_LINES)));
      }
    }
  }

  private static double idle(ChildProcess process) throws InterruptedException {
    double before = ProcessUsage.cpuSeconds(process.pid());
    Thread.sleep(IDLE.toMillis());
    return 100 * (ProcessUsage.cpuSeconds(process.pid()) - before) / IDLE.toSeconds();
  }
}

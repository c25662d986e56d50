package dev.onceward.bench.relay;

import dev.onceward.bench.BenchServers;
import dev.onceward.embedded.ChildProcess;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/** One run of one contender: the clock, and the readings of /proc. Confined to one thread. */
final class Heat {
  private static final Duration LIMIT = Duration.ofMinutes(15);
  private static final Duration LOOK = Duration.ofMillis(10);
  private static final Duration LOOK_SETTLED = Duration.ofMillis(50);
  private static final Duration END_LIMIT = Duration.ofMinutes(2);
  private static final int FIRST_EVENTS = 100_000;
  private static final int TAIL_LINES = 20;

  private final BenchServers servers;
  private final Admin admin;
  private final Slots slots;
  private final int events;

  /**
   * Runs in these servers.
   *
   * @param events that each contender must bring, and no more
   */
  Heat(BenchServers servers, Admin admin, Slots slots, int events) {
    this.servers = servers;
    this.admin = admin;
    this.slots = slots;
    this.events = events;
  }

  /** A last look at a contender that has brought everything and runs on. */
  @FunctionalInterface
  interface LastLook {
    void at(ChildProcess process) throws IOException, InterruptedException;
  }

  /**
   * Lets one contender bring the whole backlog.
   *
   * @param turn tells this run from others of the same contender
   * @throws IllegalStateException if it ends, does not finish in time, or brings too much
   */
  Measured run(Contender contender, String turn)
      throws IOException, SQLException, InterruptedException, ExecutionException {
    return run(contender, turn, process -> {});
  }

  /** Likewise, with a last look that no clock counts. */
  Measured run(Contender contender, String turn, LastLook lastLook)
      throws IOException, SQLException, InterruptedException, ExecutionException {
    String name = contender.name().replace('-', '_') + "_" + turn;
    try (Lane lane = Lane.open(servers, admin, name)) {
      slots.copy(Backlog.SLOT, name);
      Measured measured = run(contender, lane, lastLook);
      slots.dropUnused(name);
      slots.settle();
      return measured;
    }
  }

  private Measured run(Contender contender, Lane lane, LastLook lastLook)
      throws IOException, SQLException, InterruptedException, ExecutionException {
    contender.prepare(lane);
    long postmaster = ProcessUsage.postmaster(servers);
    long broker = ProcessUsage.child("dev.onceward.embedded.KafkaBrokerMain").orElse(-1);
    double postgresBefore = ProcessUsage.cpuSecondsWithChildren(postmaster);
    double kafkaBefore = ProcessUsage.cpuSeconds(broker);
    long began = System.nanoTime();
    try (ChildProcess process = contender.command(lane).start()) {
      long first = await(process, lane, 1);
      long begun = await(process, lane, Math.min(FIRST_EVENTS, events / 2));
      long half = await(process, lane, events / 2);
      long last = await(process, lane, events);
      double steady = (events - events / 2) / seconds(half, last);
      long limit = System.nanoTime() + LIMIT.toNanos();
      while (!contender.settled(lane)) {
        check(process, limit, "everything was settled");
        Thread.sleep(LOOK_SETTLED.toMillis());
      }
      long settled = System.nanoTime();
      double cpu = ProcessUsage.cpuSeconds(process.pid());
      double memory = ProcessUsage.peakMemoryMib(process.pid());
      // While its backends are alive: one that ends between two looks is counted in neither.
      double postgres = ProcessUsage.cpuSecondsWithChildren(postmaster) - postgresBefore;
      double kafka = ProcessUsage.cpuSeconds(broker) - kafkaBefore;
      lastLook.at(process);
      if (!process.stop(END_LIMIT)) {
        process.kill();
      }
      return new Measured(
          seconds(began, first),
          events / seconds(first, last),
          steady,
          events < 2 * FIRST_EVENTS ? Double.NaN : seconds(first, begun) / (FIRST_EVENTS / steady),
          seconds(last, settled),
          cpu,
          postgres,
          kafka,
          memory);
    }
  }

  /** When so many records were first seen in the topic. */
  private long await(ChildProcess process, Lane lane, int records)
      throws InterruptedException, ExecutionException {
    long limit = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      long count = count(lane.topic());
      if (count > events) {
        throw new IllegalStateException(
            process.name() + " has brought " + count + " records of " + events + " events");
      }
      if (count >= records) {
        return System.nanoTime();
      }
      check(process, limit, records + " records were in Kafka (" + count + " are)");
      Thread.sleep(LOOK.toMillis());
    }
  }

  private static void check(ChildProcess process, long limit, String before) {
    if (!process.isAlive() || System.nanoTime() - limit > 0) {
      throw new IllegalStateException(
          process.name()
              + (process.isAlive() ? " took more than " + LIMIT.toMinutes() + " min" : " ended")
              + " before "
              + before
              + "; its last lines:\n"
              + String.join("\n", process.outputTail(TAIL_LINES)));
    }
  }

  private long count(String topic) throws InterruptedException, ExecutionException {
    Map<TopicPartition, OffsetSpec> ends =
        IntStream.range(0, Backlog.PARTITIONS)
            .mapToObj(partition -> new TopicPartition(topic, partition))
            .collect(Collectors.toMap(Function.identity(), partition -> OffsetSpec.latest()));
    return admin.listOffsets(ends).all().get().values().stream()
        .mapToLong(ListOffsetsResultInfo::offset)
        .sum();
  }

  private static double seconds(long from, long to) {
    return (to - from) / 1e9;
  }
}

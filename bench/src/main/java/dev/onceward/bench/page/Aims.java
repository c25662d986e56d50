package dev.onceward.bench.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** What the relay and the workers are to reach, beside their peers of the same run. Stateless. */
final class Aims {
  private static final String STOCK = "debezium-server";
  private static final String TUNED = "debezium-server-tuned";
  private static final String RATE = "events_per_second";
  private static final String STEADY = "steady_per_second";
  private static final String CPU = "cpu_seconds_per100k";

  private Aims() {}

  /** A backlog, brought to Kafka. */
  static List<Aim> relay(JsonNode report) {
    return List.of(
        least(report, "relay", STOCK, RATE, 2, "events/s, relay to stock Debezium Server"),
        least(report, "relay", TUNED, RATE, 1.6, "events/s, relay to tuned Debezium Server"),
        most(report, "relay", STOCK, CPU, 0.5, "CPU per event, relay to stock Debezium Server"),
        most(
            report,
            "relay",
            STOCK,
            "peak_memory_mib",
            0.6,
            "peak memory, relay to stock Debezium Server"),
        least(report, "relay-direct", STOCK, RATE, 3, "events/s, direct to stock Debezium Server"),
        least(report, "relay-direct", "limit", RATE, 0.75, "events/s, direct to the limit"),
        most(
            report,
            "relay-direct",
            STOCK,
            CPU,
            0.25,
            "CPU per event, direct to stock Debezium Server"),
        least(
            report,
            "relay",
            "unaudited",
            STEADY,
            0.9,
            "steady events/s, relay to itself unaudited"),
        least(
            report,
            "relay-direct",
            "unaudited-direct",
            STEADY,
            0.85,
            "steady events/s, direct to itself unaudited"),
        new Aim(
            "first 100,000 events to as many at the steady rate, relay",
            Results.median(report, "relay", "first100k_to_steady"),
            2,
            false));
  }

  /** Live rows, commit to consumer. */
  static List<Aim> latency(JsonNode report) {
    List<Aim> aims = new ArrayList<>();
    for (int rate : List.of(500, 1_000)) {
      String at = " at " + rate + "/s";
      OptionalDouble stock = Results.median(report, STOCK, rate, "p99_millis");
      aims.add(atMost("relay p50 in ms" + at, report, "relay", rate, "p50_millis", 12));
      aims.add(
          new Aim(
              "p99, relay to stock Debezium Server" + at,
              Aim.ratio(Results.median(report, "relay", rate, "p99_millis"), stock),
              1.0 / 15,
              false));
      for (String percentile : List.of("p50", "p99")) {
        aims.add(
            new Aim(
                percentile + ", direct to the limit" + at,
                Aim.ratio(
                    Results.median(report, "relay-direct", rate, percentile + "_millis"),
                    Results.median(report, "limit", rate, percentile + "_millis")),
                2.5,
                false));
      }
    }
    aims.add(atMost("idle CPU, relay, % of a core", report, "relay", 500, "idle_cpu_percent", 15));
    aims.add(
        atMost(
            "idle CPU, direct, % of a core", report, "relay-direct", 500, "idle_cpu_percent", 2));
    return aims;
  }

  /** Claims and finishes. */
  static List<Aim> workers(JsonNode report) {
    double batched = report.path("batched").asDouble();
    return List.of(
        new Aim(
            "tasks/s, worker to itself without batches",
            OptionalDouble.of(batched / report.path("alone").asDouble()),
            3,
            true),
        new Aim(
            "tasks/s, worker to pgbench's bare statements",
            OptionalDouble.of(batched / report.path("bare_statements").asDouble()),
            0.5,
            true));
  }

  /** Idempotent creates. */
  static List<Aim> writes(JsonNode report) {
    return List.of(
        new Aim(
            "creates/s, API to pgbench's same statements",
            OptionalDouble.of(
                report.path("api_per_second").asDouble()
                    / report.path("bare_per_second").asDouble()),
            0.6,
            true));
  }

  private static Aim least(
      JsonNode report, String ours, String theirs, String member, double limit, String what) {
    return new Aim(what, ratio(report, ours, theirs, member), limit, true);
  }

  private static Aim most(
      JsonNode report, String ours, String theirs, String member, double limit, String what) {
    return new Aim(what, ratio(report, ours, theirs, member), limit, false);
  }

  private static OptionalDouble ratio(JsonNode report, String ours, String theirs, String member) {
    return Aim.ratio(Results.median(report, ours, member), Results.median(report, theirs, member));
  }

  private static Aim atMost(
      String what, JsonNode report, String contender, int rate, String member, double limit) {
    return new Aim(what, Results.median(report, contender, rate, member), limit, false);
  }
}

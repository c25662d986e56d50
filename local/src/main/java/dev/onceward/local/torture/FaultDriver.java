package dev.onceward.local.torture;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Inflicts a plan's faults until the time is over; then all of them are repaired. One thread. */
final class FaultDriver {

  private final FaultPlan plan;
  private final Map<String, Part> parts;
  private final Supervisor supervisor;
  private final HealthWatch health;
  private final PrintWriter progress;
  private final List<Outage> outages = new ArrayList<>();
  private final Instant begun = Instant.now();

  /**
   * @param parts by name
   * @param health knows which relay leads
   * @param progress gets a line for each fault
   */
  FaultDriver(
      FaultPlan plan,
      Map<String, Part> parts,
      Supervisor supervisor,
      HealthWatch health,
      PrintWriter progress) {
    this.plan = plan;
    this.parts = Map.copyOf(parts);
    this.supervisor = supervisor;
    this.health = health;
    this.progress = progress;
  }

  /** Returns when the time is over, with everything repaired, and what was done. */
  List<Outage> run(Duration duration) throws InterruptedException {
    Instant end = begun.plus(duration);
    while (Instant.now().isBefore(end)) {
      inflict(plan.next(), end);
    }
    return List.copyOf(outages);
  }

  private void inflict(PlannedFault fault, Instant end) throws InterruptedException {
    Thread.sleep(fault.pause().toMillis());
    Part part = part(fault.target());
    if (!Instant.now().isBefore(end) || !supervisor.strike(part, fault.kind())) {
      return;
    }
    Instant from = Instant.now();
    try {
      report(part, fault, from);
      if (fault.overlaps()) {
        Thread.sleep(fault.hold().toMillis() / 2);
        inflict(plan.next(), end);
      } else {
        Thread.sleep(fault.hold().toMillis());
      }
    } finally {
      outages.add(new Outage(part.name(), fault.kind(), from, Instant.now()));
      supervisor.repair(part);
    }
  }

  private void report(Part part, PlannedFault fault, Instant from) {
    progress.printf(
        Locale.ROOT,
        "%7.1f s %s %s%s, for %.1f s%s%n",
        Duration.between(begun, from).toMillis() / 1000.0,
        part.name(),
        fault.kind().words(),
        fault.target() == Target.LEADER || fault.target() == Target.LEADER_DATABASE
            ? " (leads)"
            : "",
        fault.hold().toMillis() / 1000.0,
        fault.overlaps() ? " and more" : "");
    progress.flush();
  }

  private Part part(Target target) {
    boolean secondLeads = health.leads("relay-2");
    String name =
        switch (target) {
          case API -> "api";
          case LEADER -> secondLeads ? "relay-2" : "relay";
          case STANDBY -> secondLeads ? "relay" : "relay-2";
          case WORKERS -> "workers";
          case KAFKA -> KafkaPart.NAME;
          case POSTGRES -> PostgresPart.NAME;
          case SLOT -> SlotPart.NAME;
          case API_DATABASE -> NetworkPart.name("api");
          case LEADER_DATABASE -> NetworkPart.name(secondLeads ? "relay-2" : "relay");
          case STANDBY_DATABASE -> NetworkPart.name(secondLeads ? "relay" : "relay-2");
          case WORKERS_DATABASE -> NetworkPart.name("workers");
        };
    Part part = parts.get(name);
    if (part == null) {
      throw new IllegalStateException("no part is called " + name);
    }
    return part;
  }
}

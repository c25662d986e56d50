package dev.onceward.local.torture;

import dev.onceward.local.client.ApiClient;
import dev.onceward.local.cluster.LocalCluster;
import dev.onceward.local.cluster.Service;
import dev.onceward.local.cluster.WorkspaceAccess;
import dev.onceward.local.platform.PlatformBehaviour;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** One run: writers and faults together, then rest, then the judgement. Confined to one thread. */
public final class Torture {

  private static final int MORE_WORKSPACES = 3;
  private static final double LOST_ANSWERS = 0.05;
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(6);
  private static final Duration READY_LIMIT = Duration.ofSeconds(90);

  private final LocalCluster cluster;
  private final TortureOptions options;
  private final PrintWriter progress;
  private final Instant begun = Instant.now();
  private final WriteLedger ledger = new WriteLedger();
  private final AnswerBook answers = new AnswerBook();
  private final WriterFailures failures = new WriterFailures();
  private final String prefix;
  private final PipelineStore store;

  private Torture(LocalCluster cluster, TortureOptions options, PrintWriter progress) {
    this.cluster = cluster;
    this.options = options;
    this.progress = progress;
    this.prefix = "torture-" + Long.toString(begun.toEpochMilli(), Character.MAX_RADIX) + "-";
    this.store = new PipelineStore(cluster, prefix, begun);
  }

  /**
   * Tortures a pipeline that is whole, and leaves it whole but for what has broken for good. A
   * second relay is started and stopped again.
   *
   * @param progress gets a line for each fault
   * @throws InterruptedException when the caller is interrupted; faults may be left unrepaired then
   */
  public static TortureReport run(
      LocalCluster cluster, TortureOptions options, PrintWriter progress)
      throws InterruptedException, SQLException {
    return new Torture(cluster, options, progress).run();
  }

  private TortureReport run() throws InterruptedException, SQLException {
    Service second = cluster.secondRelay();
    second.start();
    try {
      second.awaitReady(READY_LIMIT);
      cluster.platform().behave(PlatformBehaviour.NORMAL.withLostAnswers(LOST_ANSWERS));
      return underFaults(List.of(cluster.relay(), second, cluster.workers(), cluster.api()));
    } finally {
      cluster.platform().behave(PlatformBehaviour.NORMAL);
      second.stop();
    }
  }

  private TortureReport underFaults(List<Service> services)
      throws InterruptedException, SQLException {
    Map<String, Part> parts = parts(services);
    List<TortureWriter> writers = writers();
    try (Supervisor supervisor = new Supervisor(List.copyOf(parts.values()), progress);
        HealthWatch health = new HealthWatch(services)) {
      writers.forEach(TortureWriter::start);
      FaultDriver driver =
          new FaultDriver(
              new FaultPlan(options.seed(), targets()), parts, supervisor, health, progress);
      List<Outage> outages;
      List<String> unrest = new ArrayList<>();
      Instant faultsOver;
      try {
        outages = driver.run(options.duration());
      } finally {
        faultsOver = Instant.now();
        unrest.addAll(end(writers));
      }
      say("The faults are over; waiting for rest");
      unrest.addAll(new RestWatch(services, store).await(options.restLimit()));
      Duration rest = Duration.between(faultsOver, Instant.now());
      say("Comparing");
      Judgement judgement =
          new Judgement(cluster, options, begun, store, ledger, answers, failures);
      return judgement.pass(outages, health.samples(), unrest, supervisor.endings(), rest);
    }
  }

  private void say(String what) {
    progress.println(what);
    progress.flush();
  }

  private Map<String, Part> parts(List<Service> services) {
    Map<String, Part> parts = new LinkedHashMap<>();
    Stream.concat(
            Stream.<Part>of(new PostgresPart(cluster.postgres()), new KafkaPart(cluster.kafka())),
            services.stream().map(ServicePart::new))
        .forEach(part -> parts.put(part.name(), part));
    SlotPart slot =
        new SlotPart(
            cluster,
            parts.values().stream().filter(part -> part.name().startsWith("relay")).toList());
    parts.put(slot.name(), slot);
    cluster
        .networks()
        .forEach(
            (service, proxy) ->
                parts.put(NetworkPart.name(service), new NetworkPart(service, proxy)));
    return parts;
  }

  private Set<Target> targets() {
    Set<Target> targets = EnumSet.allOf(Target.class);
    if (cluster.networks().isEmpty()) {
      targets.removeAll(Target.NETWORKS);
    }
    return targets;
  }

  private List<TortureWriter> writers() {
    List<WorkspaceAccess> workspaces = new ArrayList<>(List.of(cluster.access()));
    for (int i = 0; i < MORE_WORKSPACES; i++) {
      workspaces.add(cluster.createWorkspace(prefix + i));
    }
    List<UUID> ids = workspaces.stream().map(WorkspaceAccess::workspaceId).toList();
    List<TortureWriter> writers = new ArrayList<>();
    for (int i = 0; i < options.sqlWriters(); i++) {
      writers.add(
          new SqlWriter(i, cluster::connectAsApp, ids, ledger, failures, options.seed() + 1 + i));
    }
    for (int i = 0; i < options.apiWriters(); i++) {
      WorkspaceAccess access = workspaces.get(i % workspaces.size());
      ApiClient client = new ApiClient(cluster.apiUrl(), access.accessKey(), ANSWER_LIMIT);
      writers.add(
          new ApiWriter(
              "api-writer-" + i,
              prefix + i + "-",
              client,
              answers,
              failures,
              options.seed() + 1_001 + i));
    }
    return writers;
  }

  /** Ends the writers; what could not be ended. */
  private List<String> end(List<TortureWriter> writers) throws InterruptedException {
    writers.forEach(TortureWriter::askToEnd);
    List<String> unended = new ArrayList<>();
    long deadline = System.nanoTime() + options.restLimit().toNanos();
    for (TortureWriter writer : writers) {
      if (!writer.awaitEnd(Duration.ofNanos(deadline - System.nanoTime()))) {
        unended.add(writer.name() + " could not end what it had begun");
      }
    }
    return unended;
  }
}

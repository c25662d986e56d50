package dev.onceward.local.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.local.cluster.LocalCluster;
import dev.onceward.local.cluster.Service;
import dev.onceward.local.platform.PlatformBehaviour;
import dev.onceward.local.topic.SeenRecord;
import dev.onceward.local.topic.TopicWatch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ClusterExtension.class)
final class CrashUnderLoadTest {

  private static final int PER_SECOND = 50;
  private static final Duration LIMIT = Duration.ofSeconds(90);

  private final String name = "load-" + UUID.randomUUID() + "-";
  private LocalCluster cluster;
  private PipelineRows rows;
  private EffectAudit audit;

  @BeforeEach
  void connect(LocalCluster shared) {
    cluster = shared;
    rows = new PipelineRows(cluster, name);
    audit = new EffectAudit(cluster.platform().ledger());
  }

  @Test
  void without_faults_calls_and_effects_and_operations_are_the_same_number() throws Exception {
    cluster.platform().behave(PlatformBehaviour.NORMAL.withoutKeySupport());

    List<KeyedRequest> requests = load(Duration.ofSeconds(6));

    assertThat(requests).hasSize(300).allSatisfy(each -> assertThat(each.attempts()).isOne());
    List<OperationRow> operations = awaitAllSucceeded(300);
    audit.eachHasOneCall(operations);
    audit.eachHasOneEffect(operations);
    assertThat(operations).allSatisfy(each -> assertThat(each.attempt()).isOne());
  }

  @Test
  void every_part_killed_once_under_load_loses_nothing_and_repeats_nothing() throws Exception {
    List<Fault> faults = new ArrayList<>();
    List<KeyedRequest> requests;
    try (TopicWatch topic = new TopicWatch(cluster.bootstrapServers(), cluster.topic("store"))) {
      try (SteadyLoad load = new SteadyLoad(cluster, name, PER_SECOND, Duration.ofSeconds(60))) {
        load.awaitSent(5 * PER_SECOND);
        faults.add(kill(cluster.relay()));
        load.awaitSent(16 * PER_SECOND);
        faults.add(kill(cluster.workers()));
        load.awaitSent(27 * PER_SECOND);
        faults.add(kill(cluster.api()));
        load.awaitSent(38 * PER_SECOND);
        faults.add(killKafka());
        load.awaitSent(49 * PER_SECOND);
        faults.add(killPostgres());
        requests = load.awaitAccepted(LIMIT);
      }
      List<OperationRow> operations = awaitAllSucceeded(60 * PER_SECOND);
      report(faults, requests, operations);

      audit.eachHasOneEffect(operations);
      assertThat(audit.unexplainedCalls(operations, faults)).isEmpty();
      List<String> eventIds = rows.eventIds();
      Set<String> onKafka =
          new HashSet<>(topic.finish(LIMIT).stream().map(SeenRecord::key).toList());
      assertThat(eventIds).hasSameSizeAs(operations);
      assertThat(onKafka).containsAll(eventIds);
    }
    assertMostAcceptedAtOnce(requests, faults);
  }

  @Test
  void lost_answers_and_killed_workers_cause_extra_calls_but_no_extra_effect() throws Exception {
    cluster.platform().behave(PlatformBehaviour.NORMAL.withLostAnswers(0.1));
    List<Fault> faults = new ArrayList<>();
    List<KeyedRequest> requests;
    try (SteadyLoad load = new SteadyLoad(cluster, name, PER_SECOND, Duration.ofSeconds(10))) {
      load.awaitSent(4 * PER_SECOND);
      faults.add(kill(cluster.workers()));
      requests = load.awaitAccepted(LIMIT);
    }

    List<OperationRow> operations = awaitAllSucceeded(10 * PER_SECOND);

    report(faults, requests, operations);
    audit.eachHasOneEffect(operations);
    assertThat(audit.extraCalls(operations)).as("answers were lost").isGreaterThan(10);
    assertThat(audit.unexplainedCalls(operations, faults)).isEmpty();
  }

  private List<KeyedRequest> load(Duration duration) throws Exception {
    try (SteadyLoad load = new SteadyLoad(cluster, name, PER_SECOND, duration)) {
      return load.awaitAccepted(LIMIT);
    }
  }

  private List<OperationRow> awaitAllSucceeded(int number) throws Exception {
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(() -> assertThat(rows.unfinished()).isEmpty());
    List<OperationRow> operations = rows.operations();
    assertThat(operations).hasSize(number);
    return operations;
  }

  private static Fault kill(Service service) throws InterruptedException {
    Instant killedAt = Instant.now();
    service.kill();
    service.start();
    service.awaitReady(LIMIT);
    return new Fault(service.name(), killedAt, Instant.now());
  }

  private Fault killKafka() throws InterruptedException {
    Instant killedAt = Instant.now();
    cluster.kafka().kill();
    cluster.kafka().start();
    awaitReady();
    return new Fault("kafka", killedAt, Instant.now());
  }

  private Fault killPostgres() throws InterruptedException {
    Instant killedAt = Instant.now();
    cluster.postgres().kill();
    cluster.postgres().start();
    awaitReady();
    return new Fault("postgres", killedAt, Instant.now());
  }

  private void awaitReady() throws InterruptedException {
    cluster.api().awaitReady(LIMIT);
    cluster.relay().awaitReady(LIMIT);
    cluster.workers().awaitReady(LIMIT);
  }

  /** The API needs only itself and PostgreSQL: only their outages excuse a refused request. */
  private static void assertMostAcceptedAtOnce(List<KeyedRequest> requests, List<Fault> faults) {
    List<Fault> outages =
        faults.stream()
            .filter(fault -> fault.part().equals("api") || fault.part().equals("postgres"))
            .toList();
    List<KeyedRequest> outside =
        requests.stream()
            .filter(each -> outages.stream().noneMatch(fault -> fault.covers(each.firstSentAt())))
            .toList();
    long acceptedAtOnce = outside.stream().filter(KeyedRequest::acceptedAtOnce).count();

    assertThat(outside.size()).as("requests outside an outage").isGreaterThan(30 * PER_SECOND);
    assertThat(acceptedAtOnce / (double) outside.size())
        .as("share of requests outside an outage that were accepted at once")
        .isGreaterThanOrEqualTo(0.9);
  }

  private void report(
      List<Fault> faults, List<KeyedRequest> requests, List<OperationRow> operations) {
    faults.forEach(
        fault ->
            System.out.printf(
                "%s was killed and back after %d ms%n",
                fault.part(), Duration.between(fault.killedAt(), fault.backAt()).toMillis()));
    System.out.printf(
        "%d requests, %d accepted at once, %d operations, %d extra calls%n",
        requests.size(),
        requests.stream().filter(KeyedRequest::acceptedAtOnce).count(),
        operations.size(),
        audit.extraCalls(operations));
  }
}

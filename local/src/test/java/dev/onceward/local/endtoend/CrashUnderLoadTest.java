package dev.onceward.local.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.embedded.junit.LongFault;
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

  /** Generous: it bounds a hang, it is no promise. */
  private static final Duration LIMIT = Duration.ofMinutes(3);

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
    List<KeyedRequest> requests;
    try (SteadyLoad load = new SteadyLoad(cluster, name, PER_SECOND)) {
      load.awaitSent(6 * PER_SECOND);
      requests = load.finish(LIMIT);
    }

    List<OperationRow> operations = awaitAllSucceeded(requests);

    audit.eachHasOneCall(operations);
    audit.eachHasOneEffect(operations);
    assertThat(operations).allSatisfy(each -> assertThat(each.attempt()).isOne());
  }

  @LongFault // The ordinary run has the short torture.
  @Test
  void every_part_killed_once_under_load_loses_nothing_and_repeats_nothing() throws Exception {
    List<Fault> faults = new ArrayList<>();
    List<KeyedRequest> requests;
    List<OperationRow> operations;
    Set<String> onKafka;
    try (TopicWatch topic = new TopicWatch(cluster.bootstrapServers(), cluster.topic("store"))) {
      try (SteadyLoad load = new SteadyLoad(cluster, name, PER_SECOND)) {
        load.awaitSent(5 * PER_SECOND);
        faults.add(kill(cluster.relay()));
        load.awaitSent(16 * PER_SECOND);
        faults.add(kill(cluster.workers()));
        load.awaitSent(27 * PER_SECOND);
        faults.add(killApi(load));
        load.awaitSent(38 * PER_SECOND);
        faults.add(killKafka());
        load.awaitSent(49 * PER_SECOND);
        faults.add(killPostgres(load));
        load.awaitSent(60 * PER_SECOND);
        requests = load.finish(LIMIT);
      }
      operations = awaitAllSucceeded(requests);
      onKafka = new HashSet<>(topic.finish(LIMIT).stream().map(SeenRecord::key).toList());
    }
    report(faults, requests, operations);

    audit.eachHasOneEffect(operations);
    assertThat(audit.unexplainedCalls(operations, faults)).isEmpty();
    assertThat(rows.eventIds()).hasSameSizeAs(operations);
    assertThat(onKafka).containsAll(rows.eventIds());
    assertServedMeanwhile(requests, faults);
  }

  @Test
  void lost_answers_and_killed_workers_cause_extra_calls_but_no_extra_effect() throws Exception {
    cluster.platform().behave(PlatformBehaviour.NORMAL.withLostAnswers(0.1));
    List<Fault> faults = new ArrayList<>();
    List<KeyedRequest> requests;
    try (SteadyLoad load = new SteadyLoad(cluster, name, PER_SECOND)) {
      load.awaitSent(4 * PER_SECOND);
      faults.add(kill(cluster.workers()));
      load.awaitSent(10 * PER_SECOND);
      requests = load.finish(LIMIT);
    }

    List<OperationRow> operations = awaitAllSucceeded(requests);

    report(faults, requests, operations);
    audit.eachHasOneEffect(operations);
    assertThat(audit.extraCalls(operations)).as("answers were lost").isGreaterThan(10);
    assertThat(audit.unexplainedCalls(operations, faults)).isEmpty();
  }

  private List<OperationRow> awaitAllSucceeded(List<KeyedRequest> requests) throws Exception {
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(() -> assertThat(rows.unfinished()).isEmpty());
    List<OperationRow> operations = rows.operations();
    assertThat(operations)
        .extracting(OperationRow::externalId)
        .containsExactlyInAnyOrderElementsOf(requests.stream().map(KeyedRequest::key).toList());
    return operations;
  }

  private static Fault kill(Service service) throws InterruptedException {
    Instant killedAt = Instant.now();
    service.kill();
    service.start();
    service.awaitReady(LIMIT);
    return new Fault(service.name(), killedAt, Instant.now());
  }

  private Fault killApi(SteadyLoad load) throws InterruptedException {
    Instant killedAt = Instant.now();
    cluster.api().kill();
    Instant gone = Instant.now();
    cluster.api().start();
    load.awaitAcceptedAfter(gone);
    return new Fault("api", killedAt, Instant.now());
  }

  private Fault killKafka() throws InterruptedException {
    Instant killedAt = Instant.now();
    cluster.kafka().kill();
    cluster.kafka().start();
    cluster.relay().awaitReady(LIMIT);
    cluster.workers().awaitReady(LIMIT);
    return new Fault("kafka", killedAt, Instant.now());
  }

  private Fault killPostgres(SteadyLoad load) throws InterruptedException {
    Instant killedAt = Instant.now();
    cluster.postgres().kill();
    Instant gone = Instant.now();
    cluster.postgres().start();
    load.awaitAcceptedAfter(gone);
    cluster.relay().awaitReady(LIMIT);
    cluster.workers().awaitReady(LIMIT);
    return new Fault("postgres", killedAt, Instant.now());
  }

  /** The API needs only itself and PostgreSQL: while another part is away it goes on to accept. */
  private static void assertServedMeanwhile(List<KeyedRequest> requests, List<Fault> faults) {
    List<Fault> ofOthers =
        faults.stream()
            .filter(fault -> !fault.part().equals("api") && !fault.part().equals("postgres"))
            .toList();

    assertThat(ofOthers)
        .hasSize(3)
        .allSatisfy(
            fault ->
                assertThat(requests)
                    .as("accepted while %s was away", fault.part())
                    .anyMatch(
                        each ->
                            fault.covers(each.firstSentAt())
                                && each.isAcceptedBefore(fault.backAt())));
  }

  private void report(
      List<Fault> faults, List<KeyedRequest> requests, List<OperationRow> operations) {
    faults.forEach(
        fault ->
            System.out.printf(
                "%s was killed and back after %d ms%n",
                fault.part(), Duration.between(fault.killedAt(), fault.backAt()).toMillis()));
    System.out.printf(
        "%d requests, %d accepted at the first attempt, %d operations, %d extra calls%n",
        requests.size(),
        requests.stream().filter(each -> each.attempts() == 1).count(),
        operations.size(),
        audit.extraCalls(operations));
  }
}

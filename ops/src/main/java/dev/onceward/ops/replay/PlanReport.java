package dev.onceward.ops.replay;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What a replay would do. Immutable.
 *
 * @param chosenCount how many events it would send
 * @param kinds how many of each kind
 * @param firstEventId the first of them
 * @param lastEventId the last
 * @param pendingCount left out: not proven to be in Kafka yet, the relay sends them
 * @param parkedCount left out: parked, dead or discarded
 * @param topics where they would go, with the partitions that are used
 * @param topicIsNew whether the topic would be made
 * @param eventsPerSecond the most that would be sent
 * @param estimatedSeconds how long that takes at least
 */
public record PlanReport(
    long chosenCount,
    List<Census.Kind> kinds,
    UUID firstEventId,
    UUID lastEventId,
    long pendingCount,
    long parkedCount,
    Map<String, Integer> topics,
    boolean topicIsNew,
    int eventsPerSecond,
    long estimatedSeconds) {

  static PlanReport of(Census census, ReplayTopics.Plan plan, int eventsPerSecond) {
    return new PlanReport(
        census.chosenCount(),
        census.kinds().stream().filter(kind -> kind.chosenCount() > 0).toList(),
        census.firstEventId(),
        census.lastEventId(),
        census.pendingCount(),
        census.parkedCount(),
        new TreeMap<>(plan.topics()),
        plan.isMissing(),
        eventsPerSecond,
        Math.max(1, Pace.estimate(census.chosenCount(), eventsPerSecond).toSeconds()));
  }

  void print(PrintWriter out) {
    ReplayReport.line(out, "events", chosenCount);
    for (Census.Kind kind : kinds) {
      ReplayReport.line(out, "", kind.chosenCount() + " " + kind.eventType());
    }
    ReplayReport.line(out, "from", firstEventId);
    ReplayReport.line(out, "to", lastEventId);
    if (pendingCount + parkedCount > 0) {
      ReplayReport.line(
          out,
          "left out",
          pendingCount
              + " not proven to be in Kafka yet, "
              + parkedCount
              + " parked, dead or discarded");
    }
    topics.forEach(
        (topic, partitions) ->
            ReplayReport.line(
                out,
                "topic",
                topic + ", " + partitions + " partitions" + (topicIsNew ? ", to be made" : "")));
    ReplayReport.line(
        out,
        "time",
        ReplayReport.about(Duration.ofSeconds(estimatedSeconds))
            + " at "
            + eventsPerSecond
            + " events/s");
    out.flush();
  }
}

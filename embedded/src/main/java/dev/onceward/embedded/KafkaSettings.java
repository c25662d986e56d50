package dev.onceward.embedded;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The broker settings: one node that is broker and controller, small, and silent about itself. */
final class KafkaSettings {
  static final String NODE_ID = "1";
  static final String CONTROLLER_LISTENER = "CONTROLLER";

  private KafkaSettings() {}

  /** What a single small broker needs, in a child process or in a container. */
  static Map<String, String> withDefaults(Map<String, String> chosen) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("auto.create.topics.enable", "false");
    all.put("num.partitions", "1");
    all.put("default.replication.factor", "1");
    all.put("min.insync.replicas", "1");
    all.put("offsets.topic.num.partitions", "4");
    all.put("offsets.topic.replication.factor", "1");
    all.put("transaction.state.log.num.partitions", "2");
    all.put("transaction.state.log.replication.factor", "1");
    all.put("transaction.state.log.min.isr", "1");
    all.put("share.coordinator.state.topic.num.partitions", "2");
    all.put("share.coordinator.state.topic.replication.factor", "1");
    all.put("share.coordinator.state.topic.min.isr", "1");
    all.put("group.initial.rebalance.delay.ms", "0");
    all.put("log.cleaner.dedupe.buffer.size", "8388608"); // 8 MiB; the default takes 128 MiB
    all.putAll(chosen);
    return all;
  }

  /** All settings of a child process, its place and ports included. */
  static Map<String, String> forProcess(
      Map<String, String> chosen, Path data, int port, int controllerPort) {
    Map<String, String> all = withDefaults(chosen);
    all.put("process.roles", "broker,controller");
    all.put("node.id", NODE_ID);
    all.put("controller.quorum.voters", NODE_ID + "@127.0.0.1:" + controllerPort);
    all.put("controller.listener.names", CONTROLLER_LISTENER);
    all.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    all.put(
        "listeners",
        "PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d".formatted(port, controllerPort));
    all.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port);
    all.put("log.dirs", data.toString());
    return all;
  }
}

package dev.onceward.embedded;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The broker settings: one node that is broker and controller, small, and silent about itself. */
final class KafkaSettings {
  static final String NODE_ID = "1";
  static final String CONTROLLER_LISTENER = "CONTROLLER";

  static final String LISTENERS = "listeners";
  static final String ADVERTISED = "advertised.listeners";
  static final String PROTOCOLS = "listener.security.protocol.map";

  private KafkaSettings() {}

  private static Map<String, String> withDefaults(Map<String, String> chosen) {
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
    Map<String, String> all = oneNode(chosen);
    all.put("controller.quorum.voters", NODE_ID + "@127.0.0.1:" + controllerPort);
    all.put(
        LISTENERS,
        "PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d".formatted(port, controllerPort)
            + further(chosen, LISTENERS));
    all.put(ADVERTISED, "PLAINTEXT://127.0.0.1:" + port + further(chosen, ADVERTISED));
    all.put("log.dirs", data.toString());
    return all;
  }

  /** All settings of a container whose inner port is published as {@code host:port}. */
  static Map<String, String> forContainer(
      Map<String, String> chosen, String host, int port, int innerPort) {
    int controllerPort = innerPort + 1;
    Map<String, String> all = oneNode(chosen);
    all.put("controller.quorum.voters", NODE_ID + "@localhost:" + controllerPort);
    all.put(LISTENERS, "PLAINTEXT://:%d,CONTROLLER://:%d".formatted(innerPort, controllerPort));
    all.put(ADVERTISED, "PLAINTEXT://%s:%d".formatted(host, port));
    return all;
  }

  private static Map<String, String> oneNode(Map<String, String> chosen) {
    Map<String, String> all = withDefaults(chosen);
    all.put("process.roles", "broker,controller");
    all.put("node.id", NODE_ID);
    all.put("controller.listener.names", CONTROLLER_LISTENER);
    all.put(PROTOCOLS, "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT" + further(chosen, PROTOCOLS));
    return all;
  }

  /** What stands in a list beside our own entries. */
  private static String further(Map<String, String> chosen, String name) {
    String more = chosen.get(name);
    return more == null ? "" : "," + more;
  }
}

package dev.onceward.local.cluster;

import dev.onceward.embedded.FreePorts;
import dev.onceward.process.StartupException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Decides the ports of a start: what was asked for, else what was used last, else free ones. */
final class PortChoice {

  private PortChoice() {}

  /**
   * @throws StartupException when a port is taken, or asked for twice
   */
  static ClusterPorts choose(ClusterPorts asked, ClusterPorts last) {
    Map<Integer, String> used = new LinkedHashMap<>();
    return new ClusterPorts(
        choose("PostgreSQL", "--postgres-port", asked.postgres(), last.postgres(), used),
        choose("Kafka", "--kafka-port", asked.kafka(), last.kafka(), used),
        choose("the API", "--port", asked.api(), last.api(), used),
        choose("the relay's health endpoint", "--relay-port", asked.relay(), last.relay(), used),
        choose(
            "the workers' health endpoint", "--worker-port", asked.workers(), last.workers(), used),
        choose(
            "the platform simulator", "--platform-port", asked.platform(), last.platform(), used),
        choose("the console", "--console-port", asked.console(), last.console(), used));
  }

  private static int choose(
      String server, String option, int asked, int last, Map<Integer, String> used) {
    int port = asked != 0 ? asked : last != 0 ? last : FreePorts.next();
    String other = used.putIfAbsent(port, server);
    if (other != null) {
      throw StartupException.unavailable(
          "port " + port + " is wanted by " + other + " and by " + server,
          "Give one of them another port with " + option + " N",
          null);
    }
    if (!FreePorts.isFree(port)) {
      throw StartupException.unavailable(
          "port " + port + " for " + server + " is taken",
          "End what listens there, or choose another port with "
              + option
              + " N"
              + (asked == 0 ? " (it is the one of the last start)" : ""),
          null);
    }
    return port;
  }
}

package dev.onceward.local.cluster;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a cluster is started. Immutable; each {@code with…} method returns a changed copy.
 *
 * @param data where everything is kept; null for a temporary directory, deleted at the end
 * @param ports 0 means the port of the last start in this directory, or a free one
 * @param jvmFlags for api, relay and workers
 * @param console whether the web console is started too
 * @param networks whether api, relays and workers reach PostgreSQL each through a proxy of its own
 * @param settings added to the configuration of every service; they win over what the cluster sets
 */
public record ClusterOptions(
    @Nullable Path data,
    ClusterPorts ports,
    List<String> jvmFlags,
    boolean console,
    boolean networks,
    Map<String, String> settings) {

  /** A quick start in little memory: right for everything but measuring. */
  public static final List<String> QUICK_START =
      List.of(
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-XX:-UsePerfData",
          "-Xmx320m",
          "-XX:+ExitOnOutOfMemoryError");

  /** Copies what can change. */
  public ClusterOptions {
    jvmFlags = List.copyOf(jvmFlags);
    settings = Map.copyOf(settings);
  }

  /** Temporary, on free ports, quick to start. */
  public static ClusterOptions temporary() {
    return new ClusterOptions(null, ClusterPorts.ANY, QUICK_START, false, false, Map.of());
  }

  /** Kept in this directory, which is made when it is missing. */
  public ClusterOptions keptIn(Path directory) {
    return new ClusterOptions(directory, ports, jvmFlags, console, networks, settings);
  }

  /** On these ports. */
  public ClusterOptions withPorts(ClusterPorts wanted) {
    return new ClusterOptions(data, wanted, jvmFlags, console, networks, settings);
  }

  /** With these JVM flags instead of {@link #QUICK_START}. */
  public ClusterOptions withJvmFlags(List<String> flags) {
    return new ClusterOptions(data, ports, flags, console, networks, settings);
  }

  /** With the web console. */
  public ClusterOptions withConsole() {
    return new ClusterOptions(data, ports, jvmFlags, true, networks, settings);
  }

  /** With networks that can be made bad, see {@link LocalCluster#networks}. */
  public ClusterOptions withNetworks() {
    return new ClusterOptions(data, ports, jvmFlags, console, true, settings);
  }

  /** With one more setting for the services, for example {@code onceward.worker.lease}. */
  public ClusterOptions withSetting(String key, String value) {
    Map<String, String> changed = new LinkedHashMap<>(settings);
    changed.put(key, value);
    return new ClusterOptions(data, ports, jvmFlags, console, networks, changed);
  }
}

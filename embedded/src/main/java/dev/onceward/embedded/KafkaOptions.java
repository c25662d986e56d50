package dev.onceward.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a Kafka broker is started. Immutable; each {@code with…} method returns a changed copy.
 *
 * @param directory where data, settings and log are kept; null for a temporary directory, deleted
 *     at the end
 * @param port the TCP port for clients; 0 takes a free one
 * @param settings broker settings beyond the defaults, over which they win
 * @param jvmArguments of the broker's JVM
 * @param startLimit how long a start (with recovery after a crash) may take
 */
public record KafkaOptions(
    @Nullable Path directory,
    int port,
    Map<String, String> settings,
    List<String> jvmArguments,
    Duration startLimit) {
  /** Ready with less than half the processor time; a measurement of throughput takes others. */
  private static final List<String> JVM_ARGUMENTS =
      List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  /** What a start takes on a busy machine, and more. */
  private static final Duration START_LIMIT = Duration.ofMinutes(2);

  /** Checks the values. */
  public KafkaOptions {
    FreePorts.requireValid(port);
    settings = Map.copyOf(settings);
    jvmArguments = List.copyOf(jvmArguments);
  }

  /** Temporary, on a free port. */
  public static KafkaOptions temporary() {
    return new KafkaOptions(null, 0, Map.of(), JVM_ARGUMENTS, START_LIMIT);
  }

  /** Kept in this directory (made if missing), on a free port. */
  public static KafkaOptions keptIn(Path directory) {
    return new KafkaOptions(directory, 0, Map.of(), JVM_ARGUMENTS, START_LIMIT);
  }

  /** On this port. */
  public KafkaOptions withPort(int wanted) {
    return new KafkaOptions(directory, wanted, settings, jvmArguments, startLimit);
  }

  /** With this broker setting, for example {@code message.max.bytes}, {@code 2097152}. */
  public KafkaOptions withSetting(String name, String value) {
    Map<String, String> changed = new LinkedHashMap<>(settings);
    changed.put(name, value);
    return new KafkaOptions(directory, port, changed, jvmArguments, startLimit);
  }

  /**
   * With one more listener on the loopback address, for example {@code SECURE}, {@code SASL_SSL};
   * settings of its own begin with {@code listener.name.secure.}.
   */
  public KafkaOptions withListener(String name, int listenerPort, String protocol) {
    FreePorts.requireValid(listenerPort);
    return withSetting(KafkaSettings.LISTENERS, name + "://127.0.0.1:" + listenerPort)
        .withSetting(KafkaSettings.ADVERTISED, name + "://localhost:" + listenerPort)
        .withSetting(KafkaSettings.PROTOCOLS, name + ":" + protocol);
  }

  /**
   * With these instead of the default ones, which start quickly: {@code -Xmx512m}, the serial
   * collector, and the quick compiler only.
   */
  public KafkaOptions withJvmArguments(List<String> arguments) {
    return new KafkaOptions(directory, port, settings, arguments, startLimit);
  }

  /** With another limit for the start. */
  public KafkaOptions withStartLimit(Duration limit) {
    return new KafkaOptions(directory, port, settings, jvmArguments, limit);
  }
}

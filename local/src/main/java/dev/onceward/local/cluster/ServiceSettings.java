package dev.onceward.local.cluster;

import java.util.Map;
import java.util.TreeMap;

/** The configuration of each service, made from what the cluster knows. Stateless. */
final class ServiceSettings {

  private final ClusterOptions options;
  private final ClusterState state;
  private final String databaseUrl;
  private final String bootstrapServers;

  ServiceSettings(
      ClusterOptions options, ClusterState state, String databaseUrl, String bootstrapServers) {
    this.options = options;
    this.state = state;
    this.databaseUrl = databaseUrl;
    this.bootstrapServers = bootstrapServers;
  }

  Map<String, String> api() {
    Map<String, String> values = login(ClusterSecrets.APP);
    values.put("onceward.api.host", "127.0.0.1");
    values.put("onceward.api.port", Integer.toString(state.ports().api()));
    values.put("onceward.api.fingerprint-keys", state.secrets().fingerprintKeys().reveal());
    values.put("onceward.credential-keys", state.secrets().credentialKeys().reveal());
    return complete(values);
  }

  Map<String, String> relay() {
    Map<String, String> values = login(ClusterSecrets.RELAY);
    values.put("onceward.kafka.bootstrap.servers", bootstrapServers);
    values.put("onceward.relay.health-host", "127.0.0.1");
    values.put("onceward.relay.health-port", Integer.toString(state.ports().relay()));
    return complete(values);
  }

  Map<String, String> workers() {
    Map<String, String> values = login(ClusterSecrets.APP);
    values.put("onceward.kafka.bootstrap.servers", bootstrapServers);
    values.put("onceward.worker.health-host", "127.0.0.1");
    values.put("onceward.worker.health-port", Integer.toString(state.ports().workers()));
    values.put("onceward.worker.platform-url", "http://127.0.0.1:" + state.ports().platform());
    // Materials come from the simulator, whose address is not public.
    values.put("onceward.worker.material-hosts-allowed", "127.0.0.1:" + state.ports().platform());
    values.put("onceward.credential-keys", state.secrets().credentialKeys().reveal());
    return complete(values);
  }

  Map<String, String> console() {
    Map<String, String> values = login(ClusterSecrets.OPS_READ);
    values.put("onceward.kafka.bootstrap.servers", bootstrapServers);
    values.put("onceward.console.host", "127.0.0.1");
    values.put("onceward.console.port", Integer.toString(state.ports().console()));
    return complete(values);
  }

  /** For the operator's command line, which is told this file with {@code --config}. */
  Map<String, String> ops() {
    Map<String, String> values = login(ClusterSecrets.OPS);
    // For secrets of hooks, which the command line makes as the API does.
    values.put("onceward.credential-keys", state.secrets().credentialKeys().reveal());
    values.put("onceward.kafka.bootstrap.servers", bootstrapServers);
    // Only a role that may replicate drops and makes slots.
    values.put("onceward.ops.slot-user", ClusterSecrets.RELAY);
    values.put("onceward.ops.slot-password", state.secrets().password(ClusterSecrets.RELAY));
    return complete(values);
  }

  private Map<String, String> login(String role) {
    Map<String, String> values = new TreeMap<>();
    values.put("onceward.database.url", databaseUrl);
    values.put("onceward.database.user", role);
    values.put("onceward.database.password", state.secrets().password(role));
    return values;
  }

  private Map<String, String> complete(Map<String, String> values) {
    values.putAll(options.settings());
    return values;
  }
}

package dev.onceward.local.cluster;

import dev.onceward.process.ExitCode;
import dev.onceward.process.Secret;
import dev.onceward.process.StartupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a data directory remembers from start to start. Immutable.
 *
 * @param ports 0 where none was ever used
 * @param secrets of the cluster
 * @param access the workspace that was made; null before the first complete start
 */
record ClusterState(ClusterPorts ports, ClusterSecrets secrets, @Nullable WorkspaceAccess access) {

  private static final String FORMAT = "1";
  private static final String COMMENT =
      "Written by onceward up: what must be the same at the next start. It holds secrets.";

  /** A new cluster's. */
  static ClusterState fresh() {
    return new ClusterState(ClusterPorts.ANY, ClusterSecrets.random(), null);
  }

  ClusterState withPorts(ClusterPorts used) {
    return new ClusterState(used, secrets, access);
  }

  ClusterState withAccess(WorkspaceAccess made) {
    return new ClusterState(ports, secrets, made);
  }

  /**
   * Null when the file does not exist.
   *
   * @throws StartupException when it cannot be read or is damaged
   */
  static @Nullable ClusterState load(Path file) {
    if (!Files.exists(file)) {
      return null;
    }
    try {
      Map<String, String> values = PropertiesFile.read(file);
      if (!FORMAT.equals(values.get("format"))) {
        throw damaged(file, "its format is \"" + values.get("format") + "\", not " + FORMAT, null);
      }
      return parse(values);
    } catch (IOException | IllegalArgumentException unreadable) {
      throw damaged(file, String.valueOf(unreadable.getMessage()), unreadable);
    }
  }

  void save(Path file) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("format", FORMAT);
    values.put("port.postgres", Integer.toString(ports.postgres()));
    values.put("port.kafka", Integer.toString(ports.kafka()));
    values.put("port.api", Integer.toString(ports.api()));
    values.put("port.relay", Integer.toString(ports.relay()));
    values.put("port.workers", Integer.toString(ports.workers()));
    values.put("port.platform", Integer.toString(ports.platform()));
    values.put("port.console", Integer.toString(ports.console()));
    secrets
        .rolePasswords()
        .forEach((role, secret) -> values.put("password." + role, secret.reveal()));
    values.put("fingerprint-keys", secrets.fingerprintKeys().reveal());
    values.put("credential-keys", secrets.credentialKeys().reveal());
    if (access != null) {
      values.put("access.workspace", access.workspaceId().toString());
      values.put("access.user", access.userId().toString());
      values.put("access.key", access.accessKey().reveal());
    }
    try {
      PropertiesFile.write(file, COMMENT, values);
    } catch (IOException failure) {
      throw StartupException.unavailable(
          file + " cannot be written (" + failure.getMessage() + ")",
          "Name a directory that you may write with --data",
          failure);
    }
  }

  private static ClusterState parse(Map<String, String> values) {
    ClusterPorts ports =
        new ClusterPorts(
            port(values, "port.postgres"),
            port(values, "port.kafka"),
            port(values, "port.api"),
            port(values, "port.relay"),
            port(values, "port.workers"),
            port(values, "port.platform"),
            // Directories of before the console have none.
            values.containsKey("port.console") ? port(values, "port.console") : 0);
    Map<String, Secret> passwords = new LinkedHashMap<>();
    for (String role : ClusterSecrets.LOGIN_ROLES) {
      passwords.put(role, new Secret(value(values, "password." + role)));
    }
    ClusterSecrets secrets =
        new ClusterSecrets(
            passwords,
            new Secret(value(values, "fingerprint-keys")),
            new Secret(value(values, "credential-keys")));
    WorkspaceAccess access =
        values.containsKey("access.key")
            ? new WorkspaceAccess(
                UUID.fromString(value(values, "access.workspace")),
                UUID.fromString(value(values, "access.user")),
                new Secret(value(values, "access.key")))
            : null;
    return new ClusterState(ports, secrets, access);
  }

  private static int port(Map<String, String> values, String key) {
    String text = value(values, key);
    try {
      int port = Integer.parseInt(text);
      if (port >= 0 && port <= 65_535) {
        return port;
      }
    } catch (NumberFormatException reportedBelow) {
      // as the range is
    }
    throw new IllegalArgumentException(key + " is \"" + text + "\", not a port");
  }

  private static String value(Map<String, String> values, String key) {
    String value = values.get(key);
    if (value == null || value.isEmpty()) {
      throw new IllegalArgumentException(key + " is missing");
    }
    return value;
  }

  private static StartupException damaged(Path file, String reason, @Nullable Throwable cause) {
    return new StartupException(
        ExitCode.CONFIGURATION,
        file + " cannot be used: " + reason,
        "Repair it, or name another data directory; without it the passwords of this one are lost",
        cause);
  }
}

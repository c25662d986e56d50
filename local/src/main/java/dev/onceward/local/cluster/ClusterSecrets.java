package dev.onceward.local.cluster;

import dev.onceward.process.Secret;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What only the cluster's own processes know. Immutable.
 *
 * @param rolePasswords by login role
 * @param fingerprintKeys of the API, as in {@code onceward.api.fingerprint-keys}
 * @param credentialKeys of API and workers, as in {@code onceward.credential-keys}
 */
record ClusterSecrets(
    Map<String, Secret> rolePasswords, Secret fingerprintKeys, Secret credentialKeys) {

  static final String OWNER = "onceward_owner";
  static final String APP = "onceward_app";
  static final String RELAY = "onceward_relay";
  static final String OPS = "onceward_ops";
  static final String OPS_READ = "onceward_ops_read";
  static final List<String> LOGIN_ROLES = List.of(OWNER, APP, RELAY, OPS, OPS_READ);

  private static final int PASSWORD_BYTES = 24;
  private static final int KEY_BYTES = 32;

  ClusterSecrets {
    rolePasswords = Map.copyOf(rolePasswords);
  }

  static ClusterSecrets random() {
    SecureRandom random = new SecureRandom();
    Map<String, Secret> passwords = new LinkedHashMap<>();
    for (String role : LOGIN_ROLES) {
      byte[] bytes = new byte[PASSWORD_BYTES];
      random.nextBytes(bytes);
      passwords.put(
          role, new Secret(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)));
    }
    return new ClusterSecrets(passwords, key(random), key(random));
  }

  String password(String role) {
    Secret password = rolePasswords.get(role);
    if (password == null) {
      throw new IllegalArgumentException("no login role of ours: " + role);
    }
    return password.reveal();
  }

  private static Secret key(SecureRandom random) {
    byte[] bytes = new byte[KEY_BYTES];
    random.nextBytes(bytes);
    return new Secret("k1:" + Base64.getEncoder().encodeToString(bytes));
  }
}

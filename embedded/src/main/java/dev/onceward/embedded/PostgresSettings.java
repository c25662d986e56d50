package dev.onceward.embedded;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** The server settings we start with, and the text of the configuration file made of them. */
final class PostgresSettings {
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_.]*");

  private PostgresSettings() {}

  static void requireValid(String name, String value) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'%s' is not the name of a PostgreSQL setting (lower-case letters, digits, _ and .)."
              .formatted(name));
    }
    if (value.indexOf('\n') >= 0) {
      throw new IllegalArgumentException(
          "The value of the PostgreSQL setting %s has a line break; remove it.".formatted(name));
    }
  }

  /** Enough slots, senders and connections for many tests on one server. */
  static Map<String, String> withDefaults(Map<String, String> chosen) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("wal_level", "logical");
    all.put("max_connections", "300");
    all.put("max_replication_slots", "64");
    all.put("max_wal_senders", "64");
    all.put("log_timezone", "UTC");
    all.put("timezone", "UTC");
    all.putAll(chosen);
    return all;
  }

  static String file(Map<String, String> settings, int port) {
    StringBuilder text = new StringBuilder("# Written at each start; changes here are lost.\n");
    settings.forEach((name, value) -> line(text, name, value));
    line(text, "listen_addresses", "127.0.0.1");
    line(text, "port", Integer.toString(port));
    line(text, "unix_socket_directories", ""); // no path that could be too long or not writable
    return text.toString();
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(name).append(" = '").append(value.replace("'", "''")).append("'\n");
  }
}

package dev.onceward.relay.capture;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JDBC URL taken apart, for the engine, which wants its parts. Immutable; its text form shows no
 * option, since options can hold passwords.
 *
 * @param host exactly one host
 * @param port its port
 * @param database the database's name
 * @param options the driver's options, by name
 */
public record DatabaseAddress(String host, int port, String database, Map<String, String> options) {
  private static final String JDBC = "jdbc:";
  private static final int DEFAULT_PORT = 5432;

  public DatabaseAddress {
    options = Map.copyOf(options);
  }

  /**
   * Takes a URL apart.
   *
   * @throws IllegalArgumentException if it is not {@code jdbc:postgresql://HOST[:PORT]/NAME[?…]}
   *     with exactly one host; the message repeats nothing of it
   */
  public static DatabaseAddress parse(String jdbcUrl) {
    if (!jdbcUrl.startsWith(JDBC + "postgresql://")) {
      throw new IllegalArgumentException("it does not begin with jdbc:postgresql://");
    }
    URI uri = uri(jdbcUrl.substring(JDBC.length()));
    String path = uri.getPath();
    if (uri.getHost() == null || uri.getUserInfo() != null) {
      throw new IllegalArgumentException("it does not name exactly one host");
    }
    if (path == null || path.length() < 2) {
      throw new IllegalArgumentException("it names no database");
    }
    return new DatabaseAddress(
        uri.getHost(),
        uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(),
        path.substring(1),
        options(uri.getRawQuery()));
  }

  private static URI uri(String text) {
    try {
      return URI.create(text);
    } catch (IllegalArgumentException e) {
      // Its message repeats the URL with all options.
      throw new IllegalArgumentException("it holds characters that a URL cannot");
    }
  }

  private static Map<String, String> options(@Nullable String query) {
    Map<String, String> options = new LinkedHashMap<>();
    if (query != null) {
      for (String option : query.split("&", -1)) {
        int equals = option.indexOf('=');
        if (equals > 0) {
          options.put(
              option.substring(0, equals),
              URLDecoder.decode(option.substring(equals + 1), StandardCharsets.UTF_8));
        }
      }
    }
    return options;
  }

  @Override
  public String toString() {
    return host + ":" + port + "/" + database;
  }
}

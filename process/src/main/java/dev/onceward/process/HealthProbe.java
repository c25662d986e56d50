package dev.onceward.process;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * The container's health check: asks one address and ends with 0 for the status 200, else 1 and the
 * reasons. Images without curl need no more than the class path they have.
 */
public final class HealthProbe {
  private static final int TIMEOUT_MILLIS = 3_000;

  private HealthProbe() {}

  public static void main(String[] arguments) {
    URI address = arguments.length == 1 ? HttpAddress.parse(arguments[0]) : null;
    if (address == null) {
      System.err.println("Usage: HealthProbe http://HOST:PORT/health/ready");
      System.exit(ExitCode.USAGE.number());
      return;
    }
    System.exit(ask(address) ? ExitCode.OK.number() : ExitCode.FAILURE.number());
  }

  static boolean ask(URI address) {
    try {
      HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
      connection.setConnectTimeout(TIMEOUT_MILLIS);
      connection.setReadTimeout(TIMEOUT_MILLIS);
      if (connection.getResponseCode() == HttpURLConnection.HTTP_OK) {
        return true;
      }
      try (var body = connection.getErrorStream()) {
        System.out.println(
            body == null
                ? "HTTP " + connection.getResponseCode()
                : new String(body.readAllBytes(), StandardCharsets.UTF_8));
      }
    } catch (IOException unreachable) {
      System.out.println(address + ": " + unreachable.getMessage());
    }
    return false;
  }
}

package dev.onceward.process;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** Addresses of HTTP servers that the configuration names. */
final class HttpAddress {
  static final String KIND = "http or https address with a host and without user or password";
  static final URI PLACEHOLDER = URI.create("http://not-set.invalid");

  private HttpAddress() {}

  /** Null when the text is no such address. */
  static @Nullable URI parse(String text) {
    try {
      URI uri = new URI(text);
      boolean http = "http".equalsIgnoreCase(uri.getScheme());
      boolean https = "https".equalsIgnoreCase(uri.getScheme());
      return (http || https) && uri.getHost() != null && uri.getRawUserInfo() == null ? uri : null;
    } catch (URISyntaxException malformed) {
      return null;
    }
  }

  /** The text without what may be a password. */
  static String masked(String text) {
    int at = text.lastIndexOf('@');
    return at < 0 ? text : "***" + text.substring(at);
  }
}

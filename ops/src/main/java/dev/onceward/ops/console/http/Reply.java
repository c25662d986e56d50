package dev.onceward.ops.console.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What goes out. Immutable.
 *
 * @param status of HTTP
 * @param contentType of the body
 * @param body as UTF-8
 * @param headers besides those that every answer has
 * @param cookies each a whole {@code Set-Cookie}
 */
public record Reply(
    int status,
    String contentType,
    String body,
    Map<String, String> headers,
    List<String> cookies) {

  private static final String HTML = "text/html; charset=utf-8";

  public Reply {
    headers = Map.copyOf(headers);
    cookies = List.copyOf(cookies);
  }

  /** A page. */
  public static Reply page(int status, String html) {
    return new Reply(status, HTML, html, Map.of(), List.of());
  }

  /** One JSON document. */
  public static Reply json(int status, String text) {
    return new Reply(status, "application/json", text, Map.of(), List.of());
  }

  /** Sends a browser on, with GET. */
  public static Reply redirect(String path) {
    return new Reply(303, HTML, "", Map.of("Location", path), List.of());
  }

  /** The same with one more header. */
  public Reply withHeader(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Reply(status, contentType, body, more, cookies);
  }

  /** The same with one more cookie. */
  public Reply withCookie(String cookie) {
    List<String> more = new ArrayList<>(cookies);
    more.add(cookie);
    return new Reply(status, contentType, body, headers, more);
  }
}

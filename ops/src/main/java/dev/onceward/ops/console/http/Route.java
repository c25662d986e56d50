package dev.onceward.ops.console.http;

/**
 * Who answers what. Immutable.
 *
 * @param method GET or POST
 * @param path with parameters in braces
 * @param handler answers it
 */
public record Route(String method, String path, Handler handler) {

  /** A page to look at. */
  public static Route get(String path, Handler handler) {
    return new Route("GET", path, handler);
  }

  /** A form. */
  public static Route post(String path, Handler handler) {
    return new Route("POST", path, handler);
  }
}

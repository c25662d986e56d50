package dev.onceward.api.http;

import dev.onceward.db.workspace.Role;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One call of the API. Immutable.
 *
 * @param method upper case
 * @param path a template such as {@code /v1/stores/{id}}
 * @param access whether a key is needed
 * @param body what the call reads
 * @param handler answers it
 * @param sends what the call answers with when it is carried out
 */
public record Route(
    String method, String path, Access access, Body body, WaitingHandler handler, Sends sends) {

  /** A call that answers with JSON. */
  public Route(String method, String path, Access access, Body body, WaitingHandler handler) {
    this(method, path, access, body, handler, Sends.JSON);
  }

  /** Who may call. */
  public enum Access {
    /** Only with an access key; {@link Request#caller()} is then known. */
    ACCESS_KEY,
    /** Only with the access key of an administrator; others get 403 {@code ROLE_REQUIRED}. */
    ADMINISTRATOR,
    /** Only with the access key of an installation administrator. */
    INSTALLATION_ADMINISTRATOR,
    /** Everybody: probes, and calls that prove by other means who is calling. */
    OPEN;

    /** The least role that may call, null for everybody. */
    @Nullable Role role() {
      return switch (this) {
        case ACCESS_KEY -> Role.MEMBER;
        case ADMINISTRATOR -> Role.ADMINISTRATOR;
        case INSTALLATION_ADMINISTRATOR -> Role.INSTALLATION_ADMINISTRATOR;
        case OPEN -> null;
      };
    }
  }

  /** What a call reads from the request. */
  public enum Body {
    /** Nothing: a body is ignored. */
    NONE,
    /** {@code application/json} in UTF-8 up to the limit; anything else is refused. */
    JSON,
    /** Bytes of any type, which the handler reads as a stream: {@link Request#content()}. */
    BYTES
  }

  /** What a call answers with when it is carried out; problems are JSON everywhere. */
  public enum Sends {
    /** JSON, which the client must accept. */
    JSON,
    /** A file of a type that only the answer tells. */
    FILE
  }

  /** A read. */
  public static Route get(String path, Handler handler) {
    return new Route("GET", path, Access.ACCESS_KEY, Body.NONE, atOnce(handler));
  }

  /** A read whose answer may come later. */
  public static Route getLater(String path, WaitingHandler handler) {
    return new Route("GET", path, Access.ACCESS_KEY, Body.NONE, handler);
  }

  /** A probe that needs no key. */
  public static Route open(String path, Handler handler) {
    return new Route("GET", path, Access.OPEN, Body.NONE, atOnce(handler));
  }

  /** A write with a JSON body. */
  public static Route write(String method, String path, Handler handler) {
    return new Route(method, path, Access.ACCESS_KEY, Body.JSON, atOnce(handler));
  }

  /** A write whose body is a file. */
  public static Route upload(String method, String path, Handler handler) {
    return new Route(method, path, Access.ACCESS_KEY, Body.BYTES, atOnce(handler));
  }

  /** A read that answers with a file. */
  public static Route download(String path, Handler handler) {
    return new Route("GET", path, Access.ACCESS_KEY, Body.NONE, atOnce(handler), Sends.FILE);
  }

  /** A JSON delivery from outside that proves by its signature who sends it. */
  public static Route delivery(String path, Handler handler) {
    return new Route("POST", path, Access.OPEN, Body.JSON, atOnce(handler));
  }

  /** A change that needs no body. */
  public static Route act(String path, Handler handler) {
    return new Route("POST", path, Access.ACCESS_KEY, Body.NONE, atOnce(handler));
  }

  /** A removal, without a body. */
  public static Route delete(String path, Handler handler) {
    return new Route("DELETE", path, Access.ACCESS_KEY, Body.NONE, atOnce(handler));
  }

  /** The same call for fewer. */
  public Route only(Access fewer) {
    return new Route(method, path, fewer, body, handler, sends);
  }

  private static WaitingHandler atOnce(Handler handler) {
    return request -> CompletableFuture.completedFuture(handler.handle(request));
  }
}

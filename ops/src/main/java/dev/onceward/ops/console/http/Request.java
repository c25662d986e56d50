package dev.onceward.ops.console.http;

import io.javalin.http.Context;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What comes in. Confined to the request's thread. */
public final class Request {

  private final Context context;

  Request(Context context) {
    this.context = context;
  }

  /** In capitals. */
  public String method() {
    return context.method().name().toUpperCase(Locale.ROOT);
  }

  /** The path, without the query. */
  public String path() {
    return context.path();
  }

  /** Path and query, as they were written. */
  public String target() {
    String query = context.queryString();
    return query == null ? context.path() : context.path() + "?" + query;
  }

  /** A part of the path. */
  public String pathParameter(String name) {
    return context.pathParam(name);
  }

  /** The first value of a query parameter, without white space around it; null if there is none. */
  public @Nullable String query(String name) {
    return filled(context.queryParam(name));
  }

  /** The first value of a field of the form; null if it is missing or empty. */
  public @Nullable String field(String name) {
    return filled(context.formParam(name));
  }

  /** Just as it was typed; null if it is missing. */
  public @Nullable String exactField(String name) {
    return context.formParam(name);
  }

  /** Every value of a field of the form. */
  public List<String> fields(String name) {
    return context.formParams(name);
  }

  /** Null if there is none. */
  public @Nullable String header(String name) {
    return context.header(name);
  }

  /** Null if there is none. */
  public @Nullable String cookie(String name) {
    return context.cookie(name);
  }

  /** Where the request comes from, or the proxy that passed it on. */
  public String address() {
    return context.req().getRemoteAddr();
  }

  /** Whether a script of the page asks for a part of it. */
  public boolean isPartial() {
    return "true".equals(context.header("HX-Request"));
  }

  private static @Nullable String filled(@Nullable String value) {
    String text = value == null ? "" : value.strip();
    return text.isEmpty() ? null : text;
  }
}

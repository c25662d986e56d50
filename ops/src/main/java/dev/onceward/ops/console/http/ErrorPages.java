package dev.onceward.ops.console.http;

/** What a browser gets instead of what it asked for. Thread-safe. */
public interface ErrorPages {

  /** The handler failed. */
  Reply failed(Request request, Exception failure);

  /** The server itself refuses, such as with 404 or 413. */
  Reply refused(Request request, int status);
}

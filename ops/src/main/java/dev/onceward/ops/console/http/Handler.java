package dev.onceward.ops.console.http;

/** Answers one kind of request. */
@FunctionalInterface
public interface Handler {

  /** The answer; what it throws becomes an error page. */
  Reply answer(Request request) throws Exception;
}

package dev.onceward.api.http;

import dev.onceward.api.problem.ProblemException;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;

/**
 * Answers the requests of a route whose answer may come later; no thread is held meanwhile.
 * Implementations are thread-safe.
 */
@FunctionalInterface
public interface WaitingHandler {

  /**
   * @return completed with the answer, or exceptionally with what {@link Handler#handle} may throw
   * @throws ProblemException to refuse the request at once
   * @throws SQLException which becomes a 503 or 500
   */
  CompletableFuture<Answer> handle(Request request) throws SQLException;
}

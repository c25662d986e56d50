package dev.onceward.api.http;

import dev.onceward.api.problem.ProblemException;
import java.sql.SQLException;

/** Answers the requests of one route. Implementations are thread-safe. */
@FunctionalInterface
public interface Handler {

  /**
   * @throws ProblemException to refuse the request
   * @throws SQLException which becomes a 503 or 500, see {@code Failures}
   */
  Answer handle(Request request) throws SQLException;
}

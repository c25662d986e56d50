package dev.onceward.api.http;

import dev.onceward.api.problem.ProblemException;
import java.sql.SQLException;
import java.util.List;

/** Finds out who is calling. Implementations are thread-safe. */
@FunctionalInterface
public interface Authenticator {

  /**
   * @param authorization the values of the header {@code Authorization}, usually one
   * @throws ProblemException {@code UNAUTHENTICATED}, with {@code WWW-Authenticate}
   * @throws SQLException when the look-up fails
   */
  Caller authenticate(List<String> authorization) throws SQLException;
}

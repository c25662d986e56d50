package dev.onceward.api.idempotent;

import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Request;
import dev.onceward.api.json.Fields;
import dev.onceward.api.problem.ProblemException;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * One idempotent write: it reads the body, writes the business row, the operation and the event,
 * and says what to answer. Everything else is {@link IdempotentWrites}'.
 *
 * <p>It may run more than once for one request, each time in a transaction of its own of which only
 * the last is kept: it must do nothing but write rows. Implementations are thread-safe.
 */
@FunctionalInterface
public interface Scenario {

  /**
   * @param connection in a transaction with the caller's workspace set; not to be committed
   * @param body the members of the body; one that is not read is refused afterwards
   * @return the answer, which is stored: it holds no secret
   * @throws ProblemException to refuse the request; nothing stays
   * @throws SQLException when a statement fails; nothing stays
   */
  Answer execute(Connection connection, Request request, Fields body) throws SQLException;
}

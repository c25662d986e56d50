package dev.onceward.bench.relay;

import dev.onceward.embedded.ChildCommand;
import java.io.IOException;
import java.sql.SQLException;

/** One of those who bring the backlog to Kafka. Stateless. */
interface Contender {
  /** What the report calls it. */
  String name();

  /** What must be there before the clock starts. */
  default void prepare(Lane lane) throws SQLException {}

  /** The process that does the work until it is killed. */
  ChildCommand command(Lane lane) throws IOException;

  /** Whether work is left after the last record has come. */
  default boolean settled(Lane lane) throws SQLException {
    return true;
  }
}

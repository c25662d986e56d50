package dev.onceward.bench.relay;

import dev.onceward.embedded.ChildCommand;
import java.io.IOException;
import java.sql.SQLException;

/** One of those who bring outbox rows to Kafka. Stateless. */
interface Contender {
  /** One row, as an application writes it; the parameter is a text in its payload. */
  String OUTBOX_INSERT =
      """
      INSERT INTO onceward.outbox_events (event_type, aggregate_type, aggregate_id, resource_type, resource_id, payload)
      SELECT 'bench.happened', 'bench', 'thing-' || text, 'bench', 'thing-' || text,
        json_build_object('text', text || repeat('x', 270))
      FROM (SELECT ?::text) AS given (text)
      """;

  /** What the report calls it. */
  String name();

  /** What must be there before the clock starts, the backlog included. */
  default void prepare(Lane lane) throws SQLException {}

  /** What must be there before rows are written that it brings at once. */
  default void prepareLive(Lane lane) throws SQLException {}

  /** How a row is written that it brings; its one parameter comes back in the record's value. */
  default String insert() {
    return OUTBOX_INSERT;
  }

  /** The database where it is written. */
  default String url(Lane lane) {
    return lane.servers().url();
  }

  /** The process that does the work until it is killed. */
  ChildCommand command(Lane lane) throws IOException;

  /** Whether work is left after the last record has come. */
  default boolean settled(Lane lane) throws SQLException {
    return true;
  }
}

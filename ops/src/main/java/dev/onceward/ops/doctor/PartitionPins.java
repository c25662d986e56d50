package dev.onceward.ops.doctor;

import dev.onceward.ops.DatabaseFailures;
import dev.onceward.process.StartupException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The partition counts that a relay has pinned, or why they are not known. Immutable.
 *
 * @param counts topic → partitions; empty when they are not known
 * @param unknown why they are not known; null when they are
 */
record PartitionPins(Map<String, Integer> counts, @Nullable Answer unknown) {

  private static final String PINS =
      """
      SELECT pin.key, pin.value::int
      FROM onceward.relay_state s CROSS JOIN jsonb_each_text(s.topic_partitions) AS pin
      WHERE s.relay = ?
      """;

  PartitionPins {
    counts = new TreeMap<>(counts);
  }

  static PartitionPins of(Connection connection, String relay) {
    try (PreparedStatement query = connection.prepareStatement(PINS)) {
      query.setString(1, relay);
      try (ResultSet row = query.executeQuery()) {
        Map<String, Integer> counts = new TreeMap<>();
        while (row.next()) {
          counts.put(row.getString(1), row.getInt(2));
        }
        return new PartitionPins(counts, null);
      }
    } catch (SQLException failure) {
      StartupException known = DatabaseFailures.classify(failure);
      return known == null
          ? new PartitionPins(
              Map.of(),
              Answer.failed("not checked: " + failure.getMessage(), "See PostgreSQL's log"))
          : unknown(known);
    }
  }

  static PartitionPins unknown(StartupException reason) {
    return new PartitionPins(Map.of(), DatabaseExamination.notAsked(reason));
  }

  /** The comparison with them, or why there is none. */
  Answer compare(Function<Map<String, Integer>, Answer> comparison) {
    return unknown == null ? comparison.apply(counts) : unknown;
  }
}

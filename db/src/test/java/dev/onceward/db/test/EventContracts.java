package dev.onceward.db.test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import dev.onceward.event.EventSchemas;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a test has written to the outbox to the events' schemas. A writer is held to more than
 * a reader: a member that the schema does not list is a fault here. Not thread-safe.
 */
public final class EventContracts {

  /** First words of the event types that tests invent. None of ours may begin so. */
  private static final List<String> INVENTED = List.of("a", "order", "p", "thing");

  private static final String EVENTS =
      """
      SELECT event_type, payload_version, payload FROM onceward.outbox_events
      WHERE split_part(event_type, '.', 1) <> ALL (?) AND id <> ALL (?)
      """;

  private static final int FETCH_ROWS = 500;
  private static final int LIMIT_SECONDS = 60;
  private static final int SHOWN_PROBLEMS = 20;

  private final ObjectMapper json = new ObjectMapper();
  private final JsonSchemaFactory factory = JsonSchemaFactory.getInstance(VersionFlag.V202012);
  private final SchemaValidatorsConfig config =
      SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();
  private final Map<String, Optional<JsonSchema>> schemas = new HashMap<>();

  private EventContracts() {}

  /**
   * Checks all events in a database.
   *
   * @param connection of a role that sees every workspace; it is in a transaction afterwards
   * @param wrongOnPurpose ids of events that are not looked at
   * @throws AssertionError if one has no schema, or a payload that its schema does not describe
   */
  public static void check(Connection connection, Collection<UUID> wrongOnPurpose)
      throws SQLException {
    EventContracts contracts = new EventContracts();
    TreeSet<String> problems = new TreeSet<>();
    connection.setAutoCommit(false); // else the driver reads all rows at once
    try (PreparedStatement statement = connection.prepareStatement(EVENTS)) {
      statement.setFetchSize(FETCH_ROWS);
      statement.setQueryTimeout(LIMIT_SECONDS); // a test may have left a lock behind
      statement.setArray(1, connection.createArrayOf("text", INVENTED.toArray()));
      statement.setArray(2, connection.createArrayOf("uuid", wrongOnPurpose.toArray()));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next() && problems.size() < SHOWN_PROBLEMS) {
          String problem = contracts.problem(row.getString(1), row.getInt(2), row.getString(3));
          if (problem != null) {
            problems.add(problem);
          }
        }
      }
    }
    if (!problems.isEmpty()) {
      throw new AssertionError(
          "Events were written that their schemas do not describe:\n"
              + String.join("\n", problems));
    }
  }

  private @Nullable String problem(String type, int version, String payload) {
    String name = type + ".v" + version;
    Optional<JsonSchema> schema =
        schemas.computeIfAbsent(
            name,
            absent ->
                EventSchemas.find(type, version)
                    .map(text -> factory.getSchema(text, InputFormat.JSON, config)));
    if (schema.isEmpty()) {
      return name + " has no schema";
    }
    JsonNode value;
    try {
      value = json.readTree(payload);
    } catch (IOException e) {
      return name + " is not readable";
    }
    TreeSet<String> found = new TreeSet<>();
    schema.get().validate(value).forEach(message -> found.add(message.getMessage()));
    JsonNode listed = schema.get().getSchemaNode().path("properties");
    value
        .fieldNames()
        .forEachRemaining(
            member -> {
              if (!listed.has(member)) {
                found.add("the schema does not list " + member);
              }
            });
    return found.isEmpty() ? null : name + ": " + String.join(", ", found) + ": " + payload;
  }
}

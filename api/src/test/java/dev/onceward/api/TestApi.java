package dev.onceward.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.api.http.Route;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.process.Settings;
import dev.onceward.process.Shutdown;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** A running API on a database, and counts of what it left there. */
public final class TestApi implements AutoCloseable {
  /** A key of 32 bytes in Base64, made of one letter. */
  public static String key(char letter) {
    byte[] bytes = new byte[32];
    java.util.Arrays.fill(bytes, (byte) letter);
    return Base64.getEncoder().encodeToString(bytes);
  }

  private final MigratedDatabase database;
  private final ApiServer server;

  private TestApi(MigratedDatabase database, ApiServer server) {
    this.database = database;
    this.server = server;
  }

  /** Starts with the default settings. */
  public static TestApi start(MigratedDatabase database) throws SQLException {
    return start(database, Map.of());
  }

  /** Starts with some settings changed. */
  public static TestApi start(MigratedDatabase database, Map<String, String> changed)
      throws SQLException {
    return start(database, changed, Duration.ofSeconds(20));
  }

  /** Starts with some settings changed and this grace time at the end. */
  public static TestApi start(
      MigratedDatabase database, Map<String, String> changed, Duration grace) throws SQLException {
    Shutdown shutdown = new Shutdown(grace);
    return new TestApi(database, ApiServer.start(config(database, changed), shutdown));
  }

  /** The configuration for a database. */
  public static ApiConfig config(MigratedDatabase database, Map<String, String> changed) {
    Map<String, String> settings = new HashMap<>();
    settings.put("onceward.database.url", database.url());
    settings.put("onceward.database.password", MigratedDatabase.PASSWORD);
    settings.put("onceward.api.host", "127.0.0.1");
    settings.put("onceward.api.port", "0");
    settings.put("onceward.api.fingerprint-keys", "a:" + key('a'));
    settings.put("onceward.credential-keys", "c:" + key('c'));
    settings.putAll(changed);
    return ApiConfig.from(Settings.of(settings));
  }

  public int port() {
    return server.port();
  }

  /** Every call that is answered. */
  public List<Route> routes() {
    return server.routes();
  }

  public MigratedDatabase database() {
    return database;
  }

  /** A client with this tenant's access key. */
  public TestClient client(Tenant tenant) {
    return new TestClient(port(), tenant.accessKey().reveal());
  }

  /** A client of a new workspace. */
  public TestClient newClient() throws SQLException {
    return client(database.newTenant());
  }

  /** How many rows each table that a write touches has, in all workspaces. */
  public Rows rows() throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                SELECT (SELECT count(*) FROM onceward.stores), (SELECT count(*) FROM onceward.operations),
                  (SELECT count(*) FROM onceward.outbox_events), (SELECT count(*) FROM onceward.idempotency_requests)
                """)) {
      row.next();
      return new Rows(row.getInt(1), row.getInt(2), row.getInt(3), row.getInt(4));
    }
  }

  /** How many rows every table with a workspace has, in all workspaces. */
  public Map<String, Long> allRows() throws SQLException {
    Map<String, Long> counts = new TreeMap<>();
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement()) {
      List<String> tables = new ArrayList<>();
      try (ResultSet row =
          statement.executeQuery(
              """
              SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
              WHERE c.relnamespace = 'onceward'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
              """)) {
        while (row.next()) {
          tables.add(row.getString(1));
        }
      }
      for (String table : tables) {
        try (ResultSet row = statement.executeQuery("SELECT count(*) FROM onceward." + table)) {
          row.next();
          counts.put(table, row.getLong(1));
        }
      }
    }
    return counts;
  }

  /** Runs SQL as the superuser, past row-level security. */
  public void sql(String sql) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The one text that a query finds, past row-level security. */
  public String text(String query) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getString(1);
    }
  }

  /** Puts an operation into a state, as if a worker had done it. */
  public void setState(String operationId, String state) throws SQLException {
    sql(
        """
        UPDATE onceward.operations
        SET state = '%1$s', attempt = CASE '%1$s' WHEN 'queued' THEN 0 ELSE 1 END,
          lease_owner = CASE '%1$s' WHEN 'running' THEN 'a worker' END,
          lease_expires_at = CASE '%1$s' WHEN 'running' THEN now() + interval '1 hour' END,
          next_attempt_at = CASE '%1$s' WHEN 'waiting_retry' THEN now() + interval '1 hour' END,
          finished_at = CASE WHEN '%1$s' IN ('succeeded', 'failed', 'dead', 'cancelled') THEN now() END,
          last_error_code = CASE WHEN '%1$s' IN ('waiting_retry', 'failed', 'dead') THEN 'A_TEST' END
        WHERE id = '%2$s'
        """
            .formatted(state, operationId));
  }

  /** Counts rows. */
  public record Rows(int stores, int operations, int events, int requests) {
    /** This many of each more. */
    public Rows plus(int newStores, int newOperations, int newEvents, int newRequests) {
      return new Rows(
          stores + newStores,
          operations + newOperations,
          events + newEvents,
          requests + newRequests);
    }
  }

  /** A body that creates a store. */
  public static String storeBody(String externalId) {
    return """
        {"platform":"shopline","external_id":"%s","name":"A shop","credentials":{"app_key":"k","app_secret":"s"}}"""
        .formatted(externalId);
  }

  /** A body for a store that nobody has yet. */
  public static String newStoreBody() {
    return storeBody(UUID.randomUUID().toString());
  }

  /** A new store of the client's. */
  public static String newStore(TestClient client) {
    return storeId(client.post("/v1/stores", newStoreBody()).expect(202).json());
  }

  /** The id of the operation in an answer of a write. */
  public static String operationId(JsonNode answer) {
    return answer.get("operation").get("id").asText();
  }

  /** The id of the store in an answer of a write. */
  public static String storeId(JsonNode answer) {
    return answer.get("store").get("id").asText();
  }

  @Override
  public void close() {
    server.close();
  }
}

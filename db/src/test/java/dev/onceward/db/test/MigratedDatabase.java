package dev.onceward.db.test;

import dev.onceward.db.Database;
import dev.onceward.db.migration.Bootstrap;
import dev.onceward.db.migration.Migrations;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database of its own for one test, bootstrapped by the superuser and migrated by {@code
 * onceward_owner}. The first one of a server is kept as a template, the others are copies of it.
 * What was written to the outbox is held to the events' schemas at the end. Thread-safe; close it
 * at the end of the test.
 */
public final class MigratedDatabase implements AutoCloseable {

  /** The password of all our roles on test servers. */
  public static final String PASSWORD = "test-password";

  private static final List<String> LOGIN_ROLES =
      List.of(
          "onceward_owner", "onceward_app", "onceward_relay", "onceward_ops", "onceward_ops_read");
  private static final String TEMPLATE = "onceward_template";
  private static final Map<PostgresServer, String> TEMPLATES = new WeakHashMap<>();

  private final TestDatabase database;
  private final Set<UUID> wrongOnPurpose = ConcurrentHashMap.newKeySet();

  private MigratedDatabase(TestDatabase database) {
    this.database = database;
  }

  /** A migrated database on {@code server}. */
  public static MigratedDatabase create(PostgresServer server) throws SQLException {
    String template = template(server);
    return new MigratedDatabase(TestDatabase.copy(server, template));
  }

  private static synchronized String template(PostgresServer server) throws SQLException {
    String known = TEMPLATES.get(server);
    if (known != null) {
      return known;
    }
    server.createDatabase(TEMPLATE);
    migrate(server, TEMPLATE);
    TEMPLATES.put(server, TEMPLATE);
    return TEMPLATE;
  }

  private static void migrate(PostgresServer server, String name) throws SQLException {
    try (Connection superuser = server.connect(name)) {
      Bootstrap.run(superuser);
      for (String role : LOGIN_ROLES) {
        Bootstrap.setPassword(superuser, role, PASSWORD.toCharArray());
      }
    }
    Migrations.migrate(server.jdbcUrl(name), PASSWORD);
  }

  /** The JDBC URL, without user and password. */
  public String url() {
    return database.jdbcUrl();
  }

  /** The database's name. */
  public String name() {
    return database.name();
  }

  /** Where it lies. */
  public PostgresServer server() {
    return database.server();
  }

  /** Unpooled connections of the application's role. */
  public DataSource appDataSource() {
    return dataSource("onceward_app");
  }

  /** Unpooled connections of one of our login roles. */
  public DataSource dataSource(String role) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(url());
    dataSource.setUser(role);
    dataSource.setPassword(PASSWORD);
    return dataSource;
  }

  /** Transactions of the application's role. */
  public Database app() {
    return new Database(appDataSource());
  }

  /** A new connection of one of our login roles; the caller closes it. */
  public Connection connect(String role) throws SQLException {
    return DriverManager.getConnection(url(), role, PASSWORD);
  }

  /** A new connection of the superuser; the caller closes it. */
  public Connection superuser() throws SQLException {
    return database.connect();
  }

  /**
   * How many connections the application has. Asked on a connection of its own: within a
   * transaction {@code pg_stat_activity} stays as it was read first (PostgreSQL, "Viewing
   * Statistics").
   */
  public int appConnections() throws SQLException {
    return countOfAppConnections("true");
  }

  /** How many of them wait for a lock. */
  public int blockedAppConnections() throws SQLException {
    return countOfAppConnections("wait_event_type = 'Lock'");
  }

  private int countOfAppConnections(String condition) throws SQLException {
    try (Connection superuser = superuser();
        Statement statement = superuser.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                    + " AND usename = 'onceward_app' AND "
                    + condition)) {
      row.next();
      return row.getInt(1);
    }
  }

  /** A workspace with a user and an access key. */
  public Tenant newTenant() throws SQLException {
    return Tenant.create(app());
  }

  /** An event that a test writes wrongly on purpose: it is not held to a schema. */
  public void wrongOnPurpose(UUID eventId) {
    wrongOnPurpose.add(eventId);
  }

  /**
   * Drops the database and its replication slots.
   *
   * @throws AssertionError if an event was written that its schema does not describe; not looked at
   *     where the server does not run any more
   */
  @Override
  public void close() throws SQLException {
    try (database) {
      if (server().isRunning()) {
        checkEvents();
      }
    }
  }

  private void checkEvents() throws SQLException {
    try (Connection superuser = superuser()) {
      EventContracts.check(superuser, wrongOnPurpose);
    }
  }
}

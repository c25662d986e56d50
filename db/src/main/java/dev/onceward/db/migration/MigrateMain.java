package dev.onceward.db.migration;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.flywaydb.core.api.FlywayException;

/**
 * Prepares a database from the environment, once per deployment:
 *
 * <ul>
 *   <li>{@code ONCEWARD_DATABASE_URL}: JDBC URL (required)
 *   <li>{@code ONCEWARD_OWNER_PASSWORD}: of {@code onceward_owner} (required)
 *   <li>{@code ONCEWARD_ADMIN_USER}, {@code ONCEWARD_ADMIN_PASSWORD}: an administrator; with them
 *       the roles are made and get the passwords below, without them only the migrations run
 *   <li>{@code ONCEWARD_APP_PASSWORD}, {@code ONCEWARD_RELAY_PASSWORD}, {@code
 *       ONCEWARD_OPS_PASSWORD}, {@code ONCEWARD_OPS_READ_PASSWORD}: a role whose password is not
 *       given keeps the one it has
 * </ul>
 *
 * <p>Exit code 0 when the schema is current, 3 when the environment is incomplete, 1 when the
 * database refuses.
 */
public final class MigrateMain {

  private static final int EXIT_FAILURE = 1;
  private static final int EXIT_CONFIGURATION = 3;

  private final Map<String, String> environment;

  MigrateMain(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Runs with the process's environment. */
  public static void main(String[] arguments) {
    int exitCode = new MigrateMain(System.getenv()).run();
    if (exitCode != 0) {
      System.exit(exitCode);
    }
  }

  int run() {
    String url = environment.get("ONCEWARD_DATABASE_URL");
    String ownerPassword = environment.get("ONCEWARD_OWNER_PASSWORD");
    if (url == null || ownerPassword == null) {
      System.err.println(
          "ONCEWARD_DATABASE_URL and ONCEWARD_OWNER_PASSWORD must be set to migrate a database");
      return EXIT_CONFIGURATION;
    }
    try {
      String administrator = environment.get("ONCEWARD_ADMIN_USER");
      if (administrator != null) {
        bootstrap(url, administrator);
      }
      int executed = Migrations.migrate(url, ownerPassword);
      System.out.printf("The schema is current; %d migrations ran%n", executed);
      return 0;
    } catch (SQLException | FlywayException e) {
      System.err.println("The database could not be prepared: " + e.getMessage());
      return EXIT_FAILURE;
    }
  }

  private void bootstrap(String url, String administrator) throws SQLException {
    String password = environment.getOrDefault("ONCEWARD_ADMIN_PASSWORD", "");
    try (Connection connection = DriverManager.getConnection(url, administrator, password)) {
      Bootstrap.run(connection);
      for (Map.Entry<String, String> role : passwordVariables().entrySet()) {
        Optional<String> rolePassword = Optional.ofNullable(environment.get(role.getValue()));
        if (rolePassword.isPresent()) {
          Bootstrap.setPassword(connection, role.getKey(), rolePassword.get().toCharArray());
        }
      }
    }
  }

  private static Map<String, String> passwordVariables() {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("onceward_owner", "ONCEWARD_OWNER_PASSWORD");
    variables.put("onceward_app", "ONCEWARD_APP_PASSWORD");
    variables.put("onceward_relay", "ONCEWARD_RELAY_PASSWORD");
    variables.put("onceward_ops", "ONCEWARD_OPS_PASSWORD");
    variables.put("onceward_ops_read", "ONCEWARD_OPS_READ_PASSWORD");
    return variables;
  }
}

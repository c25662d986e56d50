package dev.onceward.db.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.db.RoleCheck;
import dev.onceward.db.SchemaMissingException;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
class MigrationsTest {

  @Test
  void an_empty_database_is_prepared_and_preparing_it_again_changes_nothing(
      PostgresServer server, TestDatabase database) throws SQLException {
    Map<String, String> environment = new HashMap<>();
    environment.put("ONCEWARD_DATABASE_URL", database.jdbcUrl());
    environment.put("ONCEWARD_ADMIN_USER", server.superuser());
    environment.put("ONCEWARD_ADMIN_PASSWORD", server.superuserPassword());
    environment.put("ONCEWARD_OWNER_PASSWORD", MigratedDatabase.PASSWORD);
    environment.put("ONCEWARD_APP_PASSWORD", MigratedDatabase.PASSWORD);
    assertThat(new MigrateMain(environment).run()).isZero();
    assertThat(new MigrateMain(environment).run()).isZero();
    assertThat(Migrations.migrate(database.jdbcUrl(), MigratedDatabase.PASSWORD)).isZero();
    try (Connection app =
        DriverManager.getConnection(
            database.jdbcUrl(), "onceward_app", MigratedDatabase.PASSWORD)) {
      RoleCheck.requireBoundByRowLevelSecurity(app);
    }
  }

  @Test
  void an_incomplete_environment_is_refused(PostgresServer server) {
    assertThat(new MigrateMain(Map.of()).run()).isEqualTo(3);
    assertThat(new MigrateMain(Map.of("ONCEWARD_DATABASE_URL", server.jdbcUrl("postgres"))).run())
        .isEqualTo(3);
  }

  @Test
  void a_database_that_was_not_bootstrapped_says_so(PostgresServer server, TestDatabase database)
      throws SQLException {
    MigratedDatabase.create(server)
        .close(); // the roles exist on the server, the schema is not in this database
    assertThatThrownBy(() -> Migrations.migrate(database.jdbcUrl(), "a wrong password"))
        .isInstanceOf(FlywayException.class);
    try (Connection app =
        DriverManager.getConnection(
            database.jdbcUrl(), "onceward_app", MigratedDatabase.PASSWORD)) {
      assertThatThrownBy(() -> RoleCheck.requireBoundByRowLevelSecurity(app))
          .isInstanceOf(SchemaMissingException.class);
    }
  }

  @Test
  void nobody_of_ours_is_superuser_or_bypasses_row_level_security(PostgresServer server)
      throws SQLException {
    try (MigratedDatabase database = MigratedDatabase.create(server);
        Connection superuser = database.superuser();
        Statement statement = superuser.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                SELECT count(*), count(*) FILTER (WHERE rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb),
                  string_agg(rolname, ',') FILTER (WHERE rolreplication), string_agg(rolname, ',') FILTER (WHERE NOT rolcanlogin)
                FROM pg_roles WHERE rolname LIKE 'onceward%'
                """)) {
      row.next();
      assertThat(row.getInt(1)).isEqualTo(6);
      assertThat(row.getInt(2)).isZero();
      assertThat(row.getString(3)).isEqualTo("onceward_relay");
      assertThat(row.getString(4)).isEqualTo("onceward_definer");
    }
  }

  @Test
  void every_definer_function_is_closed_to_the_public_and_pins_its_search_path(
      PostgresServer server) throws SQLException {
    try (MigratedDatabase database = MigratedDatabase.create(server);
        Connection superuser = database.superuser();
        Statement statement = superuser.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                SELECT count(*), string_agg(p.proname, ',') FILTER (WHERE
                  has_function_privilege('public', p.oid, 'EXECUTE')
                  OR NOT coalesce(p.proconfig @> ARRAY['search_path=onceward, pg_temp'], false)
                  OR pg_get_userbyid(p.proowner) NOT IN ('onceward_definer', 'onceward_owner'))
                FROM pg_proc p WHERE p.pronamespace = 'onceward'::regnamespace AND p.prosecdef
                """)) {
      row.next();
      assertThat(row.getInt(1)).isGreaterThan(4);
      assertThat(row.getString(2)).isNull();
    }
  }
}

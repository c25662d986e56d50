package dev.onceward.db;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Refuses database roles for which row-level security would do nothing. */
public final class RoleCheck {

  private RoleCheck() {}

  /**
   * Checks that the connection's role is bound by row-level security and that the schema is there.
   *
   * @throws UnsafeRoleException if the role is a superuser, has BYPASSRLS, or owns tables of ours
   *     (itself or through a role that it is a member of)
   * @throws SchemaMissingException if the migrations have not run
   * @throws SQLException if the database cannot be asked
   */
  public static void requireBoundByRowLevelSecurity(Connection connection) throws SQLException {
    String sql =
        """
        SELECT r.rolname, r.rolsuper, r.rolbypassrls,
          to_regclass('onceward.outbox_events') IS NOT NULL AS schema_there,
          -- MEMBER and not USAGE: a role that may SET ROLE to the owner is as good as the owner
          EXISTS (
            SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = 'onceward' AND c.relkind IN ('r', 'p')
              AND pg_has_role(r.oid, c.relowner, 'MEMBER')) AS owns_tables
        FROM pg_roles r WHERE r.rolname = current_user
        """;
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      String role = row.getString("rolname");
      if (row.getBoolean("rolsuper")) {
        throw new UnsafeRoleException(role, "is a superuser");
      }
      if (row.getBoolean("rolbypassrls")) {
        throw new UnsafeRoleException(role, "has BYPASSRLS");
      }
      if (row.getBoolean("owns_tables")) {
        throw new UnsafeRoleException(role, "owns the tables");
      }
      if (!row.getBoolean("schema_there")) {
        throw new SchemaMissingException();
      }
    }
  }
}

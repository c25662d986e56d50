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
   * @throws UnsafeRoleException if the role is a superuser, has BYPASSRLS, owns tables of ours, or
   *     is shown every workspace by a policy (itself or through a role that it is a member of), or
   *     if its sessions begin with a workspace
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
              AND pg_has_role(r.oid, c.relowner, 'MEMBER')) AS owns_tables,
          EXISTS (
            SELECT FROM pg_roles group_role
            WHERE (group_role.rolsuper OR group_role.rolbypassrls)
              AND pg_has_role(r.oid, group_role.oid, 'MEMBER')) AS may_bypass,
          -- A policy for a role holds for its members too. Those for everybody (0) ask for the workspace.
          EXISTS (
            SELECT FROM pg_policy p
            JOIN pg_class c ON c.oid = p.polrelid JOIN pg_namespace n ON n.oid = c.relnamespace
            CROSS JOIN LATERAL unnest(p.polroles) AS named (role)
            WHERE n.nspname = 'onceward' AND p.polpermissive AND named.role <> 0
              AND pg_has_role(r.oid, named.role, 'MEMBER')) AS sees_all,
          -- Left behind by ALTER ROLE or ALTER DATABASE … SET: where no workspace was meant, there would be one.
          nullif(current_setting('app.workspace_id', true), '') IS NOT NULL AS workspace_preset
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
      if (row.getBoolean("may_bypass")) {
        throw new UnsafeRoleException(role, "may act as a superuser or a role with BYPASSRLS");
      }
      if (row.getBoolean("sees_all")) {
        throw new UnsafeRoleException(role, "is shown every workspace's rows by a policy");
      }
      if (row.getBoolean("workspace_preset")) {
        throw new UnsafeRoleException(
            role, "begins its sessions with a workspace (app.workspace_id)");
      }
      if (!row.getBoolean("schema_there")) {
        throw new SchemaMissingException();
      }
    }
  }
}

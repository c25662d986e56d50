package dev.onceward.ops.doctor;

import java.sql.Connection;
import java.sql.SQLException;

/** The roles that {@code bootstrap.sql} makes. Stateless. */
final class RoleChecks {

  private static final String ATTRIBUTES =
      """
      SELECT wanted.name || ' ' || problem
      FROM unnest(ARRAY['onceward_owner', 'onceward_app', 'onceward_relay', 'onceward_ops', 'onceward_ops_read',
        'onceward_definer']) AS wanted (name)
      LEFT JOIN pg_roles r ON r.rolname = wanted.name
      CROSS JOIN LATERAL (VALUES
        (r.rolname IS NULL, 'does not exist'),
        (r.rolsuper, 'is a superuser'),
        (r.rolbypassrls, 'has BYPASSRLS'),
        (wanted.name = 'onceward_definer' AND r.rolcanlogin, 'may log in'),
        (wanted.name = 'onceward_owner' AND r.rolinherit, 'inherits what onceward_definer may see')
      ) AS found (holds, problem)
      WHERE holds
      """;

  // MEMBER and not USAGE: a role that may SET ROLE to the owner is as good as the owner.
  private static final String OWNERS =
      """
      SELECT r.rolname || ' may act as ' || pg_get_userbyid(o.relowner) || ', the owner of tables'
      FROM pg_roles r
      CROSS JOIN (
        SELECT DISTINCT c.relowner FROM pg_class c
        WHERE c.relnamespace = 'onceward'::regnamespace AND c.relkind IN ('r', 'p')) AS o
      WHERE r.rolname IN ('onceward_app', 'onceward_relay', 'onceward_ops', 'onceward_ops_read')
        AND NOT r.rolsuper AND pg_has_role(r.oid, o.relowner, 'MEMBER')
      UNION ALL
      SELECT DISTINCT 'onceward_app may act as ' || pg_get_userbyid(named.role) || ', which is shown every workspace'
      FROM pg_policy p
      JOIN pg_class c ON c.oid = p.polrelid AND c.relnamespace = 'onceward'::regnamespace
      CROSS JOIN LATERAL unnest(p.polroles) AS named (role)
      JOIN pg_roles app ON app.rolname = 'onceward_app' AND NOT app.rolsuper
      WHERE p.polpermissive AND named.role <> 0 AND pg_has_role(app.oid, named.role, 'MEMBER')
      """;

  // Managed services grant replication by membership in a role of theirs.
  private static final String REPLICATION =
      """
      SELECT EXISTS (
        SELECT FROM pg_roles relay, pg_roles r
        WHERE relay.rolname = 'onceward_relay' AND pg_has_role(relay.oid, r.oid, 'MEMBER')
          AND (r.rolreplication OR r.rolsuper OR r.rolname LIKE '%replication%'))
      """;

  private RoleChecks() {}

  static Answer attributes(Connection connection) throws SQLException {
    return Answer.unless(
        Query.texts(connection, ATTRIBUTES),
        "none is superuser or bypasses row-level security",
        "Run bootstrap.sql, and ALTER ROLE … NOSUPERUSER NOBYPASSRLS for those that are named");
  }

  static Answer ownership(Connection connection) throws SQLException {
    return Answer.unless(
        Query.texts(connection, OWNERS),
        "no role of a process owns a table or sees more workspaces than it should",
        "REVOKE that membership: row-level security does not protect a table from its owner, and a"
            + " policy for a role holds for its members too");
  }

  static Answer replication(Connection connection) throws SQLException {
    return Query.text(connection, REPLICATION).equals("t")
        ? Answer.ok("onceward_relay may replicate")
        : Answer.failed(
            "onceward_relay may not replicate",
            "As superuser: ALTER ROLE onceward_relay REPLICATION, or the grant of your managed"
                + " service");
  }
}

package dev.onceward.ops.doctor;

import java.sql.Connection;
import java.sql.SQLException;

/** Who sees which rows. Stateless. */
final class RowSecurityChecks {

  private static final String UNFORCED =
      """
      SELECT c.oid::regclass || ' ' || problem
      FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped
      CROSS JOIN LATERAL (VALUES
        (NOT c.relrowsecurity, 'has no row-level security'),
        (c.relrowsecurity AND NOT c.relforcerowsecurity, 'does not force it on its owner'),
        (NOT EXISTS (
          SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'workspace_isolation'),
          'lacks the policy workspace_isolation')) AS found (holds, problem)
      WHERE c.relnamespace = 'onceward'::regnamespace AND c.relkind IN ('r', 'p') AND holds
      ORDER BY 1
      """;

  private static final String TABLES =
      """
      SELECT count(*) FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped
      WHERE c.relnamespace = 'onceward'::regnamespace AND c.relkind IN ('r', 'p')
      """;

  // Permissive policies are joined by OR: one that does not ask for the workspace opens the table.
  private static final String OPEN =
      """
      SELECT p.polname || ' of ' || c.oid::regclass
      FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
      WHERE c.relnamespace = 'onceward'::regnamespace AND p.polpermissive
        AND EXISTS (
          SELECT FROM unnest(p.polroles) AS r (role)
          WHERE r.role = 0 OR pg_has_role('onceward_app', r.role, 'USAGE'))
        AND (strpos(coalesce(pg_get_expr(p.polqual, p.polrelid), 'current_workspace()'), 'current_workspace()') = 0
          OR strpos(coalesce(pg_get_expr(p.polwithcheck, p.polrelid), 'current_workspace()'), 'current_workspace()') = 0)
      ORDER BY 1
      """;

  private static final String BLIND =
      """
      WITH applied AS (
        SELECT p.polrelid, p.polname, p.polpermissive, pg_get_expr(p.polqual, p.polrelid) AS condition
        FROM pg_policy p
        WHERE p.polcmd IN ('r', '*') AND EXISTS (
          SELECT FROM unnest(p.polroles) AS r (role)
          WHERE r.role = 0 OR pg_has_role('onceward_relay', r.role, 'USAGE')))
      SELECT t.name || ' ' || problem
      FROM unnest(ARRAY['onceward.outbox_events', 'onceward.parked_events']) AS t (name)
      CROSS JOIN LATERAL (VALUES
        (NOT has_table_privilege('onceward_relay', t.name, 'SELECT'), 'may not be read by it'),
        (NOT EXISTS (
          SELECT FROM applied a
          WHERE a.polrelid = t.name::regclass AND a.polpermissive AND a.condition = 'true'),
          'has no policy that shows it every workspace'),
        (EXISTS (
          SELECT FROM applied a
          WHERE a.polrelid = t.name::regclass AND NOT a.polpermissive AND a.condition <> 'true'),
          'has a restrictive policy that hides rows from it')) AS found (holds, problem)
      WHERE holds
      """;

  private RowSecurityChecks() {}

  static Answer forced(Connection connection) throws SQLException {
    return Answer.unless(
        Query.texts(connection, UNFORCED),
        "forced on all " + Query.number(connection, TABLES) + " tables with a workspace",
        "As onceward_owner: CALL onceward.isolate_by_workspace('…') for each of them");
  }

  static Answer noOpenDoor(Connection connection) throws SQLException {
    return Answer.unless(
        Query.texts(connection, OPEN),
        "no policy shows onceward_app more than one workspace",
        "DROP that policy, or name other roles in it");
  }

  static Answer relaySeesAll(Connection connection) throws SQLException {
    return Answer.unless(
        Query.texts(connection, BLIND),
        "onceward_relay sees the events of every workspace",
        "CREATE POLICY relay_sees_all ON … FOR SELECT TO onceward_relay USING (true), or drop what"
            + " hides rows: the audit takes unseen events for none");
  }
}

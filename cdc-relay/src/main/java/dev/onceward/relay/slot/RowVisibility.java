package dev.onceward.relay.slot;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Checks that the relay's role sees the outbox rows of every workspace. The stream does not care,
 * but the audit reads the table: under another policy it would take unseen rows for none.
 * Stateless.
 */
final class RowVisibility {
  private static final String VISIBILITY =
      """
      SELECT current_user AS role,
        has_column_privilege('onceward.outbox_events', 'xid', 'SELECT') AS readable,
        row_security_active('onceward.outbox_events') AS bound,
        EXISTS (
          SELECT FROM applied WHERE polpermissive AND condition = 'true'
        ) AS sees_all,
        (SELECT string_agg(quote_ident(polname), ', ' ORDER BY polname) FROM applied
         WHERE NOT polpermissive AND condition <> 'true') AS restricted_by
      FROM (SELECT) AS one_row
      """;

  /** The policies for SELECT that bind this role; 0 stands for PUBLIC. */
  private static final String APPLIED =
      """
      WITH applied AS (
        SELECT p.polname, p.polpermissive, pg_get_expr(p.polqual, p.polrelid) AS condition
        FROM pg_policy p
        WHERE p.polrelid = 'onceward.outbox_events'::regclass AND p.polcmd IN ('r', '*')
          AND EXISTS (
            SELECT FROM unnest(p.polroles) AS r (role)
            WHERE r.role = 0 OR pg_has_role(current_user, r.role, 'USAGE')))
      """;

  private RowVisibility() {}

  /**
   * Checks it.
   *
   * @throws NotPreparedException naming role, policy and remedy
   */
  static void check(RelaySession session) throws SQLException, NotPreparedException {
    try (PreparedStatement query = session.connection().prepareStatement(APPLIED + VISIBILITY);
        ResultSet row = query.executeQuery()) {
      row.next();
      String role = row.getString("role");
      if (!row.getBoolean("readable")) {
        throw new NotPreparedException(
            "The role \"" + role + "\" may not read " + Preflight.TABLE + ", which the audit does",
            "GRANT SELECT ON " + Preflight.TABLE + " TO " + role,
            null);
      }
      if (!row.getBoolean("bound")) {
        return;
      }
      String restrictedBy = row.getString("restricted_by");
      if (restrictedBy != null) {
        throw new NotPreparedException(
            "Row-level security hides events from the role \""
                + role
                + "\": the restrictive policy "
                + restrictedBy
                + " binds it, and the audit would miss what it does not see",
            "Drop that policy of " + Preflight.TABLE + ", or name other roles in it",
            null);
      }
      if (!row.getBoolean("sees_all")) {
        throw new NotPreparedException(
            "Row-level security hides events from the role \""
                + role
                + "\": no policy lets it see every workspace, and the audit would miss what it does"
                + " not see",
            "Let the relay log in as onceward_relay, or CREATE POLICY relay_sees_all ON "
                + Preflight.TABLE
                + " FOR SELECT TO "
                + role
                + " USING (true)",
            null);
      }
    }
  }
}

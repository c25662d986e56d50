package dev.onceward.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * What each of our roles may do, read from the catalogue of one database: a text with a line per
 * object. Rights that everybody has stand under PUBLIC alone. The rights of owners go without
 * saying.
 */
final class PrivilegeList {

  private static final List<String> ROLES =
      List.of(
          "onceward_owner",
          "onceward_app",
          "onceward_relay",
          "onceward_ops",
          "onceward_ops_read",
          "onceward_definer");

  private static final String ATTRIBUTES =
      """
      SELECT 'role: ' || concat_ws(' ',
        CASE WHEN r.rolcanlogin THEN 'login' ELSE 'nologin' END,
        CASE WHEN r.rolsuper THEN 'superuser' END,
        CASE WHEN r.rolbypassrls THEN 'bypassrls' END,
        CASE WHEN r.rolcreaterole THEN 'createrole' END,
        CASE WHEN r.rolcreatedb THEN 'createdb' END,
        CASE WHEN r.rolreplication THEN 'replication' END,
        CASE WHEN NOT r.rolinherit THEN 'noinherit' END)
      FROM pg_roles r WHERE r.rolname = ?
      UNION ALL
      SELECT 'member of ' || m.roleid::regrole || CASE WHEN m.admin_option THEN ' with admin option' ELSE '' END
      FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.member WHERE r.rolname = ?
      """;

  private static final String PLACES =
      """
      SELECT 'database: ' || string_agg(lower(word), ' ' ORDER BY word)
      FROM unnest(ARRAY['CONNECT', 'CREATE', 'TEMPORARY']) AS word
      JOIN pg_database d ON d.datname = current_database()
      WHERE has_database_privilege(?::name, d.oid, word)
        AND (?::text = 'public' OR NOT has_database_privilege('public', d.oid, word))
      HAVING count(*) > 0
      UNION ALL
      SELECT 'schema ' || n.nspname || ': ' || string_agg(lower(word), ' ' ORDER BY word)
      FROM unnest(ARRAY['USAGE', 'CREATE']) AS word
      CROSS JOIN pg_namespace n
      WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
        AND n.nspowner <> coalesce((SELECT oid FROM pg_roles WHERE rolname = ?), 0)
        AND has_schema_privilege(?::name, n.oid, word)
        AND (?::text = 'public' OR NOT has_schema_privilege('public', n.oid, word))
      GROUP BY n.nspname
      """;

  // Partitions are made day by day: all of them must be alike.
  private static final String RELATIONS =
      """
      SELECT DISTINCT kind || ' ' || name || ': ' || words FROM (
        SELECT CASE c.relkind WHEN 'S' THEN 'sequence' WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view'
            WHEN 'f' THEN 'foreign table' ELSE 'table' END AS kind,
          CASE WHEN n.nspname = 'onceward' THEN '' ELSE n.nspname || '.' END
            || regexp_replace(c.relname, '_[0-9]{8}$', '_DAY') AS name,
          CASE WHEN c.relowner = asking.oid THEN 'owns' ELSE (
            SELECT string_agg(granted.word, ' ' ORDER BY granted.place)
            FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER', 'USAGE'])
              WITH ORDINALITY AS p (word, place)
            CROSS JOIN LATERAL (SELECT p.place, CASE
              WHEN c.relkind = 'S' THEN
                CASE WHEN p.word IN ('USAGE', 'SELECT', 'UPDATE')
                  AND has_sequence_privilege(asking.name, c.oid, p.word) THEN lower(p.word) END
              WHEN p.word = 'USAGE' THEN NULL
              WHEN has_table_privilege(asking.name, c.oid, p.word) THEN lower(p.word)
              WHEN p.word IN ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES') THEN (
                SELECT lower(p.word) || '(' || string_agg(a.attname, ', ' ORDER BY a.attname) || ')'
                FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                  AND has_column_privilege(asking.name, c.oid, a.attnum, p.word)) END AS word) AS granted) END AS words
        FROM (SELECT ?::name AS name, (SELECT oid FROM pg_roles WHERE rolname = ?) AS oid) AS asking
        CROSS JOIN pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
          AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')) AS each
      WHERE words IS NOT NULL
      """;

  private static final String FUNCTIONS =
      """
      SELECT CASE p.prokind WHEN 'p' THEN 'procedure ' ELSE 'function ' END
        || CASE WHEN n.nspname = 'onceward' THEN '' ELSE n.nspname || '.' END
        || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || '): '
        || CASE WHEN p.proowner = asking.oid THEN 'owns' ELSE 'execute' END
        || CASE WHEN p.prosecdef THEN ' as ' || p.proowner::regrole ELSE '' END
      FROM (SELECT ?::name AS name, (SELECT oid FROM pg_roles WHERE rolname = ?) AS oid) AS asking
      CROSS JOIN pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
      WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
        AND has_function_privilege(asking.name, p.oid, 'EXECUTE')
        AND (asking.name = 'public' OR p.proowner = asking.oid
          OR NOT has_function_privilege('public', p.oid, 'EXECUTE'))
      """;

  private static final String POLICIES =
      """
      SELECT DISTINCT CASE WHEN p.polpermissive THEN 'policy ' ELSE 'restrictive policy ' END
        || regexp_replace(c.relname, '_[0-9]{8}$', '_DAY') || '.' || p.polname || ' on '
        || CASE p.polcmd WHEN 'r' THEN 'select' WHEN 'a' THEN 'insert' WHEN 'w' THEN 'update' WHEN 'd' THEN 'delete'
          ELSE 'all' END
        || coalesce(' using ' || regexp_replace(pg_get_expr(p.polqual, p.polrelid), '\\s+', ' ', 'g'), '')
        || coalesce(' check ' || regexp_replace(pg_get_expr(p.polwithcheck, p.polrelid), '\\s+', ' ', 'g'), '')
      FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
      WHERE coalesce((SELECT oid FROM pg_roles WHERE rolname = ?), 0) = ANY (p.polroles)
      """;

  private static final String PUBLICATIONS =
      """
      SELECT 'publication ' || p.pubname || ': owns' FROM pg_publication p
      WHERE pg_get_userbyid(p.pubowner) = ?
      """;

  private PrivilegeList() {}

  /** The whole list, a block per role. */
  static String read(Connection superuser) throws SQLException {
    StringBuilder list = new StringBuilder();
    block(list, superuser, "public");
    for (String role : ROLES) {
      block(list, superuser, role);
    }
    return list.toString();
  }

  private static void block(StringBuilder list, Connection superuser, String role)
      throws SQLException {
    list.append('[').append(role).append("]\n");
    List<String> parts = List.of(ATTRIBUTES, PLACES, RELATIONS, FUNCTIONS, POLICIES, PUBLICATIONS);
    for (String part : parts) {
      for (String line : lines(superuser, part, role)) {
        list.append(line).append('\n');
      }
    }
    list.append('\n');
  }

  private static List<String> lines(Connection superuser, String sql, String role)
      throws SQLException {
    try (PreparedStatement statement = superuser.prepareStatement(sql)) {
      long parameters = sql.chars().filter(letter -> letter == '?').count();
      for (int i = 1; i <= parameters; i++) {
        statement.setString(i, role);
      }
      List<String> lines = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          lines.add(row.getString(1));
        }
      }
      lines.sort(null);
      return lines;
    }
  }
}

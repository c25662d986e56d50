package dev.onceward.ops.console.session;

import dev.onceward.process.Secret;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** How one logs in to the database. Immutable. */
public final class DatabaseLogin {
  private static final String CONNECT_TIMEOUT_SECONDS = "5";
  private static final String SOCKET_TIMEOUT_SECONDS = "60";

  /** A superuser is a member of everything, and bound by nothing. */
  private static final String RIGHTS =
      """
      SELECT r.rolsuper, pg_has_role('onceward_ops', 'USAGE'), pg_has_role('onceward_ops_read', 'USAGE')
      FROM pg_roles r WHERE r.rolname = current_user
      """;

  private final String url;

  /** To this database. */
  public DatabaseLogin(String url) {
    this.url = url;
  }

  /** What a login may do here. */
  public enum Rights {
    /** It may change something. */
    OPERATOR,
    /** It may look. */
    READER,
    /** Nothing. */
    NONE
  }

  String url() {
    return url;
  }

  Properties properties(String user, @Nullable Secret password) {
    Properties login = new Properties();
    login.setProperty("user", user);
    if (password != null) {
      login.setProperty("password", password.reveal());
    }
    login.setProperty("ApplicationName", "onceward-console");
    login.setProperty("connectTimeout", CONNECT_TIMEOUT_SECONDS);
    login.setProperty("socketTimeout", SOCKET_TIMEOUT_SECONDS);
    login.setProperty("tcpKeepAlive", "true");
    // The server's detail may quote a row.
    login.setProperty("logServerErrorDetail", "false");
    return login;
  }

  /**
   * A new connection; the caller closes it.
   *
   * @throws SQLException when the server refuses or does not answer within 5 s
   */
  public Connection open(String user, @Nullable Secret password) throws SQLException {
    return DriverManager.getConnection(url, properties(user, password));
  }

  /** What the connection's login may do. */
  static Rights rights(Connection connection) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(RIGHTS);
        ResultSet row = query.executeQuery()) {
      if (!row.next() || row.getBoolean(1)) {
        return Rights.NONE;
      }
      return row.getBoolean(2) ? Rights.OPERATOR : row.getBoolean(3) ? Rights.READER : Rights.NONE;
    }
  }
}

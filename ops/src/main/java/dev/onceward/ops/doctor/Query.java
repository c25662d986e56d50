package dev.onceward.ops.doctor;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Small questions to the database. Stateless. */
final class Query {

  private Query() {}

  /** The first column of all rows, as text. */
  static List<String> texts(Connection connection, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        query.setObject(i + 1, parameters[i]);
      }
      try (ResultSet row = query.executeQuery()) {
        List<String> texts = new ArrayList<>();
        while (row.next()) {
          texts.add(String.valueOf(row.getString(1)));
        }
        return texts;
      }
    }
  }

  /** The first column of the first row, as text. */
  static String text(Connection connection, String sql, Object... parameters) throws SQLException {
    return texts(connection, sql, parameters).get(0);
  }

  /** The first column of the first row. */
  static long number(Connection connection, String sql, Object... parameters) throws SQLException {
    return Long.parseLong(text(connection, sql, parameters));
  }
}

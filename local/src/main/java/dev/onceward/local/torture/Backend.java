package dev.onceward.local.torture;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens a connection as a backend has it; the caller closes it. */
@FunctionalInterface
interface Backend {
  Connection connect() throws SQLException;
}

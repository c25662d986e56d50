package dev.onceward.db;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every right of every role, as the catalogue has it, beside the list that somebody has read. */
@ExtendWith(InfrastructureExtension.class)
@Tag("S51")
class PrivilegesTest {

  private static final String EXPECTED = "privileges.txt";

  @Test
  void no_role_may_do_anything_but_what_the_list_says(PostgresServer server) throws Exception {
    String found;
    try (MigratedDatabase database = MigratedDatabase.create(server);
        Connection superuser = database.superuser()) {
      found = PrivilegeList.read(superuser);
    }
    Path written = Files.writeString(Path.of("target", EXPECTED), found);
    assertThat(found)
        .as(
            "If the change is meant, read it and copy %s to src/test/resources/dev/onceward/db",
            written)
        .isEqualTo(expected());
  }

  @Test
  void no_role_may_maintain_a_table_that_is_not_its_own(PostgresServer server) throws Exception {
    try (MigratedDatabase database = MigratedDatabase.create(server);
        Connection superuser = database.superuser();
        Statement statement = superuser.createStatement();
        // The privilege came with PostgreSQL 17: grants of it have the letter m.
        ResultSet row =
            statement.executeQuery(
                """
                SELECT count(*) FROM pg_class c CROSS JOIN LATERAL unnest(c.relacl) AS granted
                WHERE c.relnamespace = 'onceward'::regnamespace
                  AND granted::text NOT LIKE 'onceward_owner=%' AND split_part(granted::text, '/', 1) LIKE '%=%m%'
                """)) {
      row.next();
      assertThat(row.getLong(1)).isZero();
    }
  }

  private static String expected() throws Exception {
    try (InputStream list =
        requireNonNull(PrivilegesTest.class.getResourceAsStream(EXPECTED), EXPECTED)) {
      return new String(list.readAllBytes(), UTF_8);
    }
  }
}

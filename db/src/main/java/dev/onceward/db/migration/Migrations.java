package dev.onceward.db.migration;

import org.flywaydb.core.Flyway;

/** Brings the schema to the newest version. */
public final class Migrations {

  private static final String OWNER = "onceward_owner";

  private Migrations() {}

  /**
   * Runs the migrations that are missing, each in its own transaction.
   *
   * @param url JDBC URL of a database that was bootstrapped
   * @param password of {@code onceward_owner}
   * @return how many ran
   * @throws org.flywaydb.core.api.FlywayException if the database cannot be reached, a migration
   *     fails (nothing of it stays), or an applied one was changed
   */
  public static int migrate(String url, String password) {
    return Flyway.configure(Migrations.class.getClassLoader())
        .dataSource(url, OWNER, password)
        .locations("classpath:dev/onceward/db/migration")
        .schemas("onceward")
        .createSchemas(false)
        .sqlMigrationPrefix("V")
        .placeholderReplacement(false)
        .cleanDisabled(true)
        .load()
        .migrate()
        .migrationsExecuted;
  }
}

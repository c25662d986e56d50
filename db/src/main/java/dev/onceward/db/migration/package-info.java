/**
 * Puts the schema into a database: {@link dev.onceward.db.migration.Bootstrap} as an administrator
 * makes the roles, {@link dev.onceward.db.migration.Migrations} as {@code onceward_owner}, which is
 * no superuser, makes everything else.
 */
@NullMarked
package dev.onceward.db.migration;

import org.jspecify.annotations.NullMarked;

/** Migrated databases for the tests of every module. */
@NullMarked
package dev.onceward.db.test;

import org.jspecify.annotations.NullMarked;

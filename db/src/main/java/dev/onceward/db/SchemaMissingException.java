package dev.onceward.db;

/** The database has not been migrated. */
public final class SchemaMissingException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  SchemaMissingException() {
    super(
        "The table onceward.outbox_events does not exist in this database; run the migrations first");
  }
}

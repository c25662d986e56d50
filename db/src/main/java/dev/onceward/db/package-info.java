/**
 * The library that a backend uses inside its own transaction, over a plain {@link
 * java.sql.Connection}.
 *
 * <p>PostgreSQL is authoritative for everything; nothing here caches. No class opens a transaction
 * of its own but {@link dev.onceward.db.Database}, which is for callers that have none. Every
 * statement that touches a workspace's rows relies on {@link dev.onceward.db.WorkspaceContext}:
 * without it row-level security shows nothing and refuses writes.
 *
 * <p>Failures surface as {@link java.sql.SQLException}, to be told apart by {@link
 * dev.onceward.db.SqlStates}. After one the transaction is over; the caller rolls it back.
 */
@NullMarked
package dev.onceward.db;

import org.jspecify.annotations.NullMarked;

/**
 * What operators have changed: the table {@code ops_actions}.
 *
 * <p>Rows are only added. A change inside PostgreSQL has one row, written in its own transaction,
 * so that there is never a change without its row nor a row without its change. One outside of it
 * (records sent, topic offsets moved) has a row before it begins and one when it ends; a start
 * without an end was killed half-way. Time, role and address are the server's word, the account is
 * the operator's machine's.
 *
 * <p>Failure: a text that looks like a secret is withheld before it is written, and refused by
 * CHECKs after that.
 */
@NullMarked
package dev.onceward.db.action;

import org.jspecify.annotations.NullMarked;

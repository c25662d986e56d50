/**
 * {@code onceward doctor}: everything that makes such a system fail without a word, looked at.
 *
 * <p>Each check has a name that scripts may rely on, and answers with what it found and, unless all
 * is well, with what to do. It is a question to PostgreSQL or to Kafka and nothing else: no check
 * changes anything, and none needs another's answer. They run as {@code onceward_ops_read}.
 *
 * <p>Failure: with the database or Kafka away, its checks fail with that as the reason, and the
 * others run. A check that breaks is a failed check.
 */
@NullMarked
package dev.onceward.ops.doctor;

import org.jspecify.annotations.NullMarked;

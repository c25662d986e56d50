/**
 * {@code onceward status}: where the pipeline stands, in one look.
 *
 * <p>Everything comes from one repeatable-read transaction, so that the numbers belong to one
 * moment. The replication slot is PostgreSQL's own truth about the relay's position; {@code
 * relay_state} is the relay's; counts are exact. The command reads as {@code onceward_ops_read} and
 * changes nothing.
 *
 * <p>Failure: a missing, inactive or lost slot is a finding with a remedy and exit code 1; a
 * database that does not answer is exit code 4 and no findings at all.
 */
@NullMarked
package dev.onceward.ops.status;

import org.jspecify.annotations.NullMarked;

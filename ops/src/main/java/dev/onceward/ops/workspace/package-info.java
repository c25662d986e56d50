/**
 * Workspaces, users and keys from the command line, as {@code onceward_ops}.
 *
 * <p>Each command is one transaction: a workspace never stands without the user that was asked for,
 * a key never without being shown. The key's secret is shown once; the database keeps its hash.
 */
@NullMarked
package dev.onceward.ops.workspace;

import org.jspecify.annotations.NullMarked;

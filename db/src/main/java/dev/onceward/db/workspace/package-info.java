/**
 * Workspaces, their users, and the access keys by which users call the API. Secrets are kept as
 * hashes.
 */
@NullMarked
package dev.onceward.db.workspace;

import org.jspecify.annotations.NullMarked;

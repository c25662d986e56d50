/**
 * Administration: the caller's workspace, its users and their access keys.
 *
 * <p>These calls write no event and are not idempotent by key: an answer that shows an access key
 * is never stored, so it could not be given again. Whoever missed such an answer revokes the key
 * (it is in the list) and makes another.
 *
 * <p>Invariants: a workspace keeps somebody who can administer it ({@code LAST_ADMINISTRATOR});
 * every change that could break this holds the workspace's row first. Members see and change their
 * own keys only. The service neither makes nor changes installation administrators or their keys,
 * except that they look after their own: the database refuses the former to its role.
 *
 * <p>{@link dev.onceward.api.workspace.AccessKeyUse} writes down when keys were used, behind the
 * requests; its failure is logged and costs no request.
 */
@NullMarked
package dev.onceward.api.workspace;

import org.jspecify.annotations.NullMarked;

/**
 * Who is signed in. The database is the authority: a name and password are right if PostgreSQL
 * takes them, and the login may do what its membership of {@code onceward_ops} or {@code
 * onceward_ops_read} lets it do.
 *
 * <p>A session is a random token in a cookie; the process keeps its hash, never the token. It has a
 * pool of its own with the login's credentials, which is closed at sign-out, after thirty minutes
 * without a request, and after twelve hours at the latest. Connections live five minutes at most,
 * so that a password that was changed or a login that was taken away counts soon.
 *
 * <p>Failure: a wrong name and a wrong password are the same answer. An address that fails waits
 * twice as long each time, up to half a minute.
 */
@NullMarked
package dev.onceward.ops.console.session;

import org.jspecify.annotations.NullMarked;

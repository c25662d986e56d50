/**
 * The HTTP service. It only writes rows: everything that follows from a request happens through the
 * outbox.
 *
 * <p>{@link dev.onceward.api.ApiMain} is the process, {@link dev.onceward.api.ApiConfig} its
 * settings, {@link dev.onceward.api.ApiServer} its wiring. The service refuses to start on a
 * database role that row-level security does not bind, without the schema, with a wrong password or
 * on a taken port. Once started it lives through an absence of PostgreSQL: requests get 503, {@code
 * /health/ready} says why, and both end with the absence.
 */
@NullMarked
package dev.onceward.api;

import org.jspecify.annotations.NullMarked;

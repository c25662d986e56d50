/**
 * Store authorisations: create one, replace its credentials, verify them again, read them.
 *
 * <p>Each write leaves a row in {@code stores}, an operation {@code verify_store_credentials} and
 * its event in one transaction. Credentials are encrypted before they reach the database; neither
 * the event nor any answer holds them: a worker reads them by id and version.
 */
@NullMarked
package dev.onceward.api.store;

import org.jspecify.annotations.NullMarked;

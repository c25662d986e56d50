/**
 * The business table {@code stores}: authorisations of shops on outside platforms, their
 * credentials encrypted.
 */
@NullMarked
package dev.onceward.db.store;

import org.jspecify.annotations.NullMarked;

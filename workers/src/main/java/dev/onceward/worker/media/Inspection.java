package dev.onceward.worker.media;

import dev.onceward.db.media.MediaFindings;
import org.jspecify.annotations.Nullable;

/**
 * What an inspection says. Immutable.
 *
 * @param rejectionCode why the content is no good; null if it is
 */
record Inspection(MediaFindings findings, @Nullable String rejectionCode) {}

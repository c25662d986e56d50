/** Tests of media and material transfers against a running API. */
@NullMarked
package dev.onceward.api.media;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.onceward.worker.claim;

import org.jspecify.annotations.NullMarked;

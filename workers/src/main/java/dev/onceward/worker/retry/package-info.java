@NullMarked
package dev.onceward.worker.retry;

import org.jspecify.annotations.NullMarked;

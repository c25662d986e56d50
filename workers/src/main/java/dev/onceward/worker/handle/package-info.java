@NullMarked
package dev.onceward.worker.handle;

import org.jspecify.annotations.NullMarked;

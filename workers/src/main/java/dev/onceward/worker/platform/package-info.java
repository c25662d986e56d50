@NullMarked
package dev.onceward.worker.platform;

import org.jspecify.annotations.NullMarked;

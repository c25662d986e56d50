@NullMarked
package dev.onceward.worker.deadletter;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.onceward.ops.event;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.onceward.ops.audit;

import org.jspecify.annotations.NullMarked;

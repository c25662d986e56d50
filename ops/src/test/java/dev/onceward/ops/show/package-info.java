/** Tests of what people see. */
@NullMarked
package dev.onceward.ops.show;

import org.jspecify.annotations.NullMarked;

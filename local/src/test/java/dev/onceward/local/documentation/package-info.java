/** What people read is held to what is there: links lead somewhere, Java compiles. */
@NullMarked
package dev.onceward.local.documentation;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.onceward.worker;

import org.jspecify.annotations.NullMarked;

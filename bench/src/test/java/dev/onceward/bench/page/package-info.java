/** Tests of the benchmark page. */
@NullMarked
package dev.onceward.bench.page;

import org.jspecify.annotations.NullMarked;

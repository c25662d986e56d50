/** Tests of the crash matrix's judgement, results and table, without a pipeline. */
@NullMarked
package dev.onceward.local.matrix;

import org.jspecify.annotations.NullMarked;

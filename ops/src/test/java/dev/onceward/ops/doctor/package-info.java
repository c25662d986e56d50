/** Tests of what the doctor sees, each thing broken for real. */
@NullMarked
package dev.onceward.ops.doctor;

import org.jspecify.annotations.NullMarked;

/** Tests of what a cluster keeps and chooses, without starting one. */
@NullMarked
package dev.onceward.local.cluster;

import org.jspecify.annotations.NullMarked;

/**
 * The whole pipeline, as processes of their own on real servers, under requests and faults.
 *
 * <p>One cluster serves all tests of a run. Each test uses keys and external ids of its own, and
 * counts only what belongs to them. A test that stops or kills a part starts it again.
 */
@NullMarked
package dev.onceward.local.endtoend;

import org.jspecify.annotations.NullMarked;

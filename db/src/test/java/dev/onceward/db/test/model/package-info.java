/**
 * Explores small models of protocols, every state of them.
 *
 * <p>A {@link dev.onceward.db.test.model.Model} says which steps are possible in a state, whoever
 * takes them; {@link dev.onceward.db.test.model.Explorer} takes each in each state, breadth first,
 * so that all interleavings within the model's bounds are seen and the first broken invariant comes
 * with a shortest trace. A state is a value: equal ones are visited once.
 */
@NullMarked
package dev.onceward.db.test.model;

import org.jspecify.annotations.NullMarked;

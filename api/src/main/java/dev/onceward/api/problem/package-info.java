/**
 * What a client is told when its request is not carried out: RFC 9457 problem details with a stable
 * {@code code}.
 *
 * <p>A {@link dev.onceward.api.problem.ProblemCode} is part of the public contract: its name and
 * status never change, while title and detail are for people and may. {@link
 * dev.onceward.api.problem.ProblemException} is how any code of the API refuses a request; thrown
 * inside a transaction it rolls the transaction back, so nothing of a refused request stays. A
 * detail never repeats a payload or a header value: it names the field and the rule.
 */
@NullMarked
package dev.onceward.api.problem;

import org.jspecify.annotations.NullMarked;

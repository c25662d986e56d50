/**
 * JSON as the API takes it: strictly, and without losing what the client wrote.
 *
 * <p>Two readers of one text must never see two things, so what RFC 8259 leaves open is refused:
 * duplicate member names, unpaired surrogates, invalid UTF-8, a byte order mark, text after the
 * value. U+0000 is refused because PostgreSQL cannot hold it, and nesting is bounded so that every
 * later stage can read what was accepted. Numbers keep their text: {@code 1.0}, {@code 1} and a
 * number beyond {@code double} stay as written.
 *
 * <p>{@link dev.onceward.api.json.CanonicalJson} is the form that is fingerprinted. Failure: every
 * refusal is a {@link dev.onceward.api.problem.ProblemException} with a 4xx code and, where there
 * is one, the JSON Pointer of the place.
 */
@NullMarked
package dev.onceward.api.json;

import org.jspecify.annotations.NullMarked;

/**
 * What a handler is and sees. The only package that a handler's author needs.
 *
 * <p>Handlers are made once, at the start, by {@link dev.onceward.worker.handle.HandlerProvider}s
 * on the class path. Each event type has one handler; the topics of their aggregate types are the
 * ones that are read. Whether a later attempt may help is said by the exception's type: {@link
 * dev.onceward.worker.handle.PermanentTaskException} or {@link
 * dev.onceward.worker.handle.RetriableTaskException}; anything else that is thrown is a defect and
 * counts as retriable.
 *
 * <p>Failure: two handlers for one type, or one without a type, stop the start.
 */
@NullMarked
package dev.onceward.worker.handle;

import org.jspecify.annotations.NullMarked;

package dev.onceward.process;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code traceparent} of W3C Trace Context, version 00, to spans and back. Stateless. */
public final class Traceparents {
  private static final Pattern TRACEPARENT =
      Pattern.compile("00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})");

  private Traceparents() {}

  /** What a span continues; the root for null and for what is malformed. */
  public static Context parent(@Nullable String traceparent) {
    Matcher parts = TRACEPARENT.matcher(traceparent == null ? "" : traceparent);
    if (!parts.matches()) {
      return Context.root();
    }
    SpanContext remote =
        SpanContext.createFromRemoteParent(
            parts.group(1),
            parts.group(2),
            TraceFlags.fromHex(parts.group(3), 0),
            TraceState.getDefault());
    return remote.isValid() ? Context.root().with(Span.wrap(remote)) : Context.root();
  }

  /** What continues this span; empty if it was not begun here. */
  public static Optional<String> of(Span span) {
    SpanContext context = span.getSpanContext();
    return context.isValid() && !context.isRemote()
        ? Optional.of(
            "00-%s-%s-%s"
                .formatted(
                    context.getTraceId(), context.getSpanId(), context.getTraceFlags().asHex()))
        : Optional.empty();
  }
}

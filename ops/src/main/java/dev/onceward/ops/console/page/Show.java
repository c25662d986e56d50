package dev.onceward.ops.console.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.onceward.ops.show.ByteText;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How values look on a page. Stateless. */
public final class Show {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter EXACT_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final String DASH = "–";

  private Show() {}

  /** To the second, in UTC; a dash for null. */
  public static String time(@Nullable Instant time) {
    return time == null ? DASH : TIME.format(time);
  }

  /** To the millisecond, in UTC; a dash for null. */
  public static String exactTime(@Nullable Instant time) {
    return time == null ? DASH : EXACT_TIME.format(time);
  }

  /** With separators. */
  public static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** Such as {@code 20.0 KiB}. */
  public static String bytes(long value) {
    return ByteText.of(value);
  }

  /** A dash for null. */
  public static String orDash(@Nullable Object value) {
    String text = value == null ? "" : value.toString();
    return text.isEmpty() ? DASH : text;
  }

  /** Such as {@code operation 2, record 1}. */
  public static String counts(Map<String, Long> counts) {
    return counts.entrySet().stream()
        .map(one -> one.getKey() + " " + number(one.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** As a value in the query of an address. */
  public static String inQuery(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  /** Such as {@code 3 min 20 s}. */
  public static String span(long seconds) {
    Duration span = Duration.ofSeconds(seconds);
    return seconds < 60
        ? seconds + " s"
        : seconds < 3600
            ? span.toMinutes() + " min " + span.toSecondsPart() + " s"
            : span.toHours() + " h " + span.toMinutesPart() + " min";
  }

  /** A state as a class of the style sheet: good, busy, warn or bad. */
  public static String tone(@Nullable String state) {
    return switch (state == null ? "" : state) {
      case "ok", "dispatched", "succeeded", "completed", "done" -> "good";
      case "pending", "queued", "running", "started", "waiting_retry" -> "busy";
      case "warning", "degraded", "parked", "stopped", "interrupted", "abandoned" -> "warn";
      case "down", "failed", "dead", "dead_letter" -> "bad";
      default -> "plain";
    };
  }

  /** With spaces for underscores. */
  public static String words(@Nullable String state) {
    return state == null ? DASH : state.replace('_', ' ');
  }

  /** A sentence with one full stop. */
  public static String sentence(String text) {
    return text.endsWith(".") ? text : text + ".";
  }

  /** Whole percent, at most 100. */
  public static long percent(long done, long all) {
    return all <= 0 ? 100 : Math.min(100, done * 100 / all);
  }
}

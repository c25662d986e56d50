package dev.onceward.ops.deadletter;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a record lies in a dead-letter topic. Immutable.
 *
 * @param topic its name
 * @param topicId of the topic's present life: one that is made anew gets another
 * @param partition from 0
 * @param topicOffset in the partition
 */
record RecordPlace(String topic, UUID topicId, int partition, long topicOffset) {

  private static final Pattern WRITTEN =
      Pattern.compile("([A-Za-z0-9._-]{1,249})/(\\d{1,9})/(\\d{1,18})");

  /** A place as it is written; the topic's id is looked up where it is needed. */
  record Written(String topic, int partition, long topicOffset) {}

  /** As an operator writes it. */
  String id() {
    return topic + "/" + partition + "/" + topicOffset;
  }

  /** Empty if the text is none. */
  static Optional<Written> parse(String text) {
    Matcher matcher = WRITTEN.matcher(text);
    return matcher.matches()
        ? Optional.of(
            new Written(
                matcher.group(1),
                Integer.parseInt(matcher.group(2)),
                Long.parseLong(matcher.group(3))))
        : Optional.empty();
  }
}

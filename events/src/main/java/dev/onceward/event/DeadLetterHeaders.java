package dev.onceward.event;

/**
 * Names of the headers that a consumer adds to a record which it sets aside in the dead-letter
 * topic. Key, value and the other headers stay as they were. All values are UTF-8 text. A record
 * that was set aside before has them more than once: the last of each name counts.
 */
public final class DeadLetterHeaders {
  /** Why, as a stable code such as {@code UNKNOWN_EVENT_TYPE}. */
  public static final String REASON = "dead_letter_reason";

  /** Why, as a sentence for a person; no payload, no secret. */
  public static final String MESSAGE = "dead_letter_message";

  /** The topic that the record was read from. */
  public static final String TOPIC = "dead_letter_topic";

  /** The partition that the record was read from, in decimal. */
  public static final String PARTITION = "dead_letter_partition";

  /** The topic offset that the record was read from, in decimal. */
  public static final String OFFSET = "dead_letter_offset";

  /** The consumer group that set it aside. */
  public static final String GROUP = "dead_letter_group";

  /** When it was set aside, in RFC 3339. */
  public static final String AT = "dead_letter_at";

  private DeadLetterHeaders() {}
}

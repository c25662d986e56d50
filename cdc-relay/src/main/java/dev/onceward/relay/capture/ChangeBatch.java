package dev.onceward.relay.capture;

import java.util.List;

/**
 * What a source yields at once: rows and messages, each in the order of the log. A message stands
 * behind every row that the log has before it, be that row in this batch or an earlier one.
 * Immutable; never empty.
 *
 * @param events the committed rows, in commit order
 * @param messages the relay's logical messages
 */
public record ChangeBatch(List<CapturedEvent> events, List<LogicalMessage> messages) {
  public ChangeBatch {
    events = List.copyOf(events);
    messages = List.copyOf(messages);
  }
}

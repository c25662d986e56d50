package dev.onceward.relay.publish;

import dev.onceward.event.route.EventRecord;

/**
 * A record that Kafka refuses for what it is. Immutable.
 *
 * @param record the record
 * @param why without its content
 */
public record Refused(EventRecord record, String why) {}

/**
 * From an outbox row to a Kafka record: topic, partition, key, value and headers. Pure functions;
 * nothing here knows a database or a broker.
 *
 * <p>The same row always becomes the same record, whoever builds it (the relay, its audit, a
 * replay): consumers deduplicate by key, and the audit compares by topic and key.
 */
@NullMarked
package dev.onceward.event.route;

import org.jspecify.annotations.NullMarked;

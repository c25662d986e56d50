package dev.onceward.bench.relay;

import dev.onceward.bench.BenchServers;
import java.nio.file.Path;

/**
 * What one run of one contender has for itself. Immutable.
 *
 * @param servers where everything happens
 * @param slot a replication slot that stands before the backlog
 * @param topicPrefix what the topic's name begins with
 * @param directory for its files
 */
record Lane(BenchServers servers, String slot, String topicPrefix, Path directory) {

  /** Where the records are expected; it exists, and is empty. */
  String topic() {
    return topicPrefix + Backlog.AGGREGATE_TYPE;
  }
}

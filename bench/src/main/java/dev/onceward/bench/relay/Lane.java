package dev.onceward.bench.relay;

import dev.onceward.bench.BenchServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * What one run of one contender has for itself. Immutable.
 *
 * @param servers where everything happens
 * @param slot its replication slot
 * @param topicPrefix what the topic's name begins with
 * @param directory for its files
 */
record Lane(BenchServers servers, String slot, String topicPrefix, Path directory)
    implements AutoCloseable {

  /** A lane with an empty topic and an empty directory; the slot is the caller's. */
  static Lane open(BenchServers servers, Admin admin, String name)
      throws IOException, InterruptedException, ExecutionException {
    Lane lane = new Lane(servers, name, name + ".", Files.createTempDirectory("onceward-bench-"));
    admin
        .createTopics(
            List.of(new NewTopic(lane.topic(), Optional.of(Backlog.PARTITIONS), Optional.empty())))
        .all()
        .get();
    return lane;
  }

  /** Where the records are expected. */
  String topic() {
    return topicPrefix + Backlog.AGGREGATE_TYPE;
  }

  /** Deletes the files. */
  @Override
  public void close() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}

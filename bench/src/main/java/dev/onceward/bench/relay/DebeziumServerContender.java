package dev.onceward.bench.relay;

import dev.onceward.bench.BenchServers;
import dev.onceward.embedded.ChildCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Debezium Server as its distribution comes, with the outbox event router and the Kafka sink; what
 * is not set here has its default.
 *
 * @param name of this configuration
 * @param home the unpacked distribution
 * @param java a Java of 21 or later, which the distribution needs
 * @param tuned whether its poll interval and batches are those of our relay
 */
record DebeziumServerContender(
    String name, Path home, Path java, boolean tuned, List<String> jvmFlags) implements Contender {
  private static final String CONFIGURATION =
      """
      debezium.source.connector.class=io.debezium.connector.postgresql.PostgresConnector
      debezium.source.database.hostname=127.0.0.1
      debezium.source.database.port=%PORT
      debezium.source.database.user=onceward_relay
      debezium.source.database.password=%PASSWORD
      debezium.source.database.dbname=%DATABASE
      debezium.source.topic.prefix=bench
      debezium.source.plugin.name=pgoutput
      debezium.source.slot.name=%SLOT
      debezium.source.publication.name=%PUBLICATION
      debezium.source.publication.autocreate.mode=disabled
      debezium.source.table.include.list=onceward.outbox_events
      debezium.source.snapshot.mode=no_data
      debezium.source.offset.storage=org.apache.kafka.connect.storage.FileOffsetBackingStore
      debezium.source.offset.storage.file.filename=%DIRECTORY/offsets
      debezium.source.offset.flush.interval.ms=1000
      debezium.transforms=outbox
      debezium.transforms.outbox.type=io.debezium.transforms.outbox.EventRouter
      debezium.transforms.outbox.table.field.event.id=id
      debezium.transforms.outbox.table.field.event.key=aggregate_id
      debezium.transforms.outbox.table.field.event.type=event_type
      debezium.transforms.outbox.table.field.event.payload=payload
      debezium.transforms.outbox.route.by.field=aggregate_type
      debezium.transforms.outbox.route.topic.replacement=%PREFIX\\\\${routedByValue}
      debezium.sink.type=kafka
      debezium.sink.kafka.producer.bootstrap.servers=%BROKER
      debezium.sink.kafka.producer.key.serializer=org.apache.kafka.common.serialization.StringSerializer
      debezium.sink.kafka.producer.value.serializer=org.apache.kafka.common.serialization.StringSerializer
      quarkus.http.host=127.0.0.1
      quarkus.http.port=0
      """;

  /** From Java 24 on its thread pool ends without this. */
  private static final String OPEN_TO_ITS_THREADS = "--add-opens=java.base/java.lang=ALL-UNNAMED";

  private static final String TUNED =
      """
      debezium.source.poll.interval.ms=10
      debezium.source.extended.headers.enabled=false
      debezium.sink.kafka.producer.batch.size=131072
      """;

  @Override
  public ChildCommand command(Lane lane) throws IOException {
    BenchServers servers = lane.servers();
    Path configuration = lane.directory().resolve("application.properties");
    Files.writeString(
        configuration,
        CONFIGURATION
                .replace("%PORT", Integer.toString(servers.port()))
                .replace("%PASSWORD", servers.password())
                .replace("%DATABASE", BenchServers.DATABASE)
                .replace("%SLOT", lane.slot())
                .replace("%PUBLICATION", Backlog.PUBLICATION)
                .replace("%DIRECTORY", lane.directory().toString())
                .replace("%PREFIX", lane.topicPrefix())
                .replace("%BROKER", servers.bootstrapServers())
            + (tuned ? TUNED : ""));
    return ChildCommand.program(
            name,
            Stream.of(
                    Stream.of(java.toString()),
                    jvmFlags.stream(),
                    Stream.of(
                        OPEN_TO_ITS_THREADS,
                        "-Dquarkus.config.locations=" + configuration.toUri(),
                        "-cp",
                        runner(home).orElseThrow() + ":" + home.resolve("lib") + "/*",
                        "io.debezium.server.Main"))
                .flatMap(part -> part)
                .toList())
        .withOutput(lane.directory().resolve("server.log"));
  }

  /** Whether a folder holds an unpacked distribution. */
  static boolean isHome(Path folder) {
    try {
      return runner(folder).isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  private static Optional<Path> runner(Path home) throws IOException {
    try (Stream<Path> files = Files.list(home)) {
      return files.filter(file -> file.toString().endsWith("-runner.jar")).findFirst();
    }
  }
}

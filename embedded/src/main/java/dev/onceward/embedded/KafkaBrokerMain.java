package dev.onceward.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * Main class of the child JVM: formats the data directory if there is none, then is the broker.
 * Argument: the file with the broker's settings.
 */
final class KafkaBrokerMain {
  private KafkaBrokerMain() {}

  /** Ends only with the broker. */
  public static void main(String[] arguments) throws Exception {
    Path settingsFile = Path.of(arguments[0]);
    Properties settings = new Properties();
    try (InputStream in = Files.newInputStream(settingsFile)) {
      settings.load(in);
    }
    Path data = Path.of(settings.getProperty("log.dirs"));
    if (!Files.exists(data)) {
      format(data, Integer.parseInt(settings.getProperty("node.id")));
    }
    kafka.Kafka.main(new String[] {settingsFile.toString()});
  }

  /** Under another name first: a directory with the right name is always whole. */
  private static void format(Path data, int nodeId) throws Exception {
    Path unfinished = data.resolveSibling(data.getFileName() + "-unfinished");
    WorkDirectory.delete(unfinished);
    createDirectory(unfinished);
    new Formatter()
        .setPrintStream(System.out)
        .setClusterId(Uuid.randomUuid().toString())
        .setNodeId(nodeId)
        .setControllerListenerName(KafkaSettings.CONTROLLER_LISTENER)
        .setDirectories(List.of(unfinished.toString()))
        .setMetadataLogDirectory(unfinished.toString())
        .setReleaseVersion(MetadataVersion.LATEST_PRODUCTION)
        .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
        .run();
    Files.move(unfinished, data, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void createDirectory(Path directory) throws IOException {
    Files.createDirectories(directory);
  }
}

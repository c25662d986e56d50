package dev.onceward.bench.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.StreamSupport;

/** The reports in a folder. Immutable. */
final class Results {
  private static final JsonMapper MAPPER = new JsonMapper();

  private final Path folder;

  Results(Path folder) {
    this.folder = folder;
  }

  /**
   * A report; empty if the folder has none of that name.
   *
   * @throws IOException if it cannot be read
   */
  Optional<JsonNode> report(String name) throws IOException {
    Path file = folder.resolve(name + ".json");
    return Files.exists(file)
        ? Optional.of(MAPPER.readTree(Files.readAllBytes(file)))
        : Optional.empty();
  }

  /** The median of a contender's member; empty if there is none. */
  static OptionalDouble median(JsonNode report, String contender, String member) {
    return StreamSupport.stream(report.path("contenders").spliterator(), false)
        .filter(line -> line.path("contender").asText().equals(contender))
        .map(line -> line.path(member).path("median"))
        .filter(JsonNode::isNumber)
        .mapToDouble(JsonNode::asDouble)
        .findFirst();
  }

  /** Likewise, of a contender at a rate. */
  static OptionalDouble median(JsonNode report, String contender, int rate, String member) {
    return StreamSupport.stream(report.path("lines").spliterator(), false)
        .filter(line -> line.path("contender").asText().equals(contender))
        .filter(line -> line.path("rate").asInt() == rate)
        .map(line -> line.path(member).path("median"))
        .filter(JsonNode::isNumber)
        .mapToDouble(JsonNode::asDouble)
        .findFirst();
  }
}

package dev.onceward.local.matrix;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The results, one JSON object per line, oldest first. Confined to one thread, and to be written by
 * one process.
 */
public final class ResultsFile {

  private static final JsonMapper JSON =
      JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();

  private final Path file;
  private final List<TrialResult> results;

  private ResultsFile(Path file, List<TrialResult> results) {
    this.file = file;
    this.results = results;
  }

  /**
   * Opens a file; one that is missing counts as empty. A last line that was cut off in the middle
   * is cut away.
   *
   * @throws IOException if it cannot be read, or a line is no result
   */
  public static ResultsFile open(Path file) throws IOException {
    List<TrialResult> results = new ArrayList<>();
    if (Files.exists(file)) {
      byte[] content = Files.readAllBytes(file);
      int end = content.length;
      while (end > 0 && content[end - 1] != '\n') {
        end--;
      }
      if (end < content.length) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.truncate(end);
        }
      }
      for (String line : Files.readAllLines(file)) {
        results.add(JSON.readValue(line, TrialResult.class));
      }
    }
    return new ResultsFile(file, results);
  }

  /** Opens a file that holds nothing yet, whatever it held. */
  public static ResultsFile fresh(Path file) throws IOException {
    Files.deleteIfExists(file);
    return open(file);
  }

  /** All lines. */
  public List<TrialResult> all() {
    return List.copyOf(results);
  }

  /** Appends a line. */
  void add(TrialResult result) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Files.writeString(
        file,
        JSON.writeValueAsString(result) + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    results.add(result);
  }

  /** How often a cell was hit. */
  long hits(Subject subject, Cell cell) {
    return results.stream()
        .filter(result -> result.hit() && subject.isOf(result) && result.isOf(cell))
        .count();
  }
}

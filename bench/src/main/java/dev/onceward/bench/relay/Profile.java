package dev.onceward.bench.relay;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/**
 * Where the threads of one run were when the flight recorder looked. Immutable; its component names
 * are those of the JSON.
 *
 * @param contender its name
 * @param samples how often it looked at a thread that was running Java code
 * @param percent of the samples, by part: the package of the innermost frame that is the relay's
 *     own, so that what a part has others do for it is its own cost; {@code engine} for threads in
 *     which no such frame is but Debezium's, {@code kafka} and {@code other} likewise
 */
record Profile(String contender, int samples, Map<String, Double> percent) {
  private static final String OURS = "dev.onceward.relay.";

  /** What the JVM is told so that it records. */
  static final String FLAG = "-XX:StartFlightRecording=settings=profile";

  /**
   * Has a JVM that records write to a file what it has so far. Not at its end: a process that is
   * told to end does not wait for the recorder.
   *
   * @throws IOException if it does not
   */
  static void dump(long pid, Path recording) throws IOException, InterruptedException {
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(pid),
                "JFR.dump",
                "filename=" + recording)
            .redirectErrorStream(true)
            .start();
    String answer = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (jcmd.waitFor() != 0) {
      throw new IOException("jcmd JFR.dump: " + answer.strip());
    }
  }

  /** Reads a recording. */
  static Profile of(String contender, Path recording) throws IOException {
    Map<String, Integer> counts = new TreeMap<>();
    int samples = 0;
    try (RecordingFile events = new RecordingFile(recording)) {
      while (events.hasMoreEvents()) {
        var event = events.readEvent();
        RecordedStackTrace stack = event.getStackTrace();
        if (event.getEventType().getName().equals("jdk.ExecutionSample") && stack != null) {
          List<String> classes =
              stack.getFrames().stream()
                  .filter(RecordedFrame::isJavaFrame)
                  .map(frame -> frame.getMethod().getType().getName())
                  .toList();
          counts.merge(part(classes), 1, Integer::sum);
          samples++;
        }
      }
    }
    return of(contender, samples, counts);
  }

  static Profile of(String contender, int samples, Map<String, Integer> counts) {
    Map<String, Double> percent = new LinkedHashMap<>();
    counts.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder()))
        .forEach(count -> percent.put(count.getKey(), 100.0 * count.getValue() / samples));
    return new Profile(contender, samples, percent);
  }

  /**
   * Whose the innermost part of a stack is.
   *
   * @param classes the innermost first
   */
  static String part(List<String> classes) {
    for (String type : classes) {
      if (type.startsWith(OURS)) {
        String rest = type.substring(OURS.length());
        int dot = rest.indexOf('.');
        return dot < 0 ? "relay" : rest.substring(0, dot);
      }
    }
    if (classes.stream().anyMatch(type -> type.startsWith("io.debezium."))) {
      return "engine";
    }
    return classes.stream().anyMatch(type -> type.startsWith("org.apache.kafka."))
        ? "kafka"
        : "other";
  }

  /** One line for people. */
  String line() {
    return percent.entrySet().stream()
        .map(part -> String.format(Locale.ROOT, "%s %.1f", part.getKey(), part.getValue()))
        .collect(Collectors.joining(", ", contender + ": ", " % of " + samples + " samples"));
  }
}

package dev.onceward.bench.relay;

import dev.onceward.bench.BenchServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * What processes have used, by {@code /proc} (proc(5)). Where that is missing, as on macOS, or the
 * process runs in a container, nothing is known.
 */
final class ProcessUsage {
  private static final Path PROC = Path.of("/proc");

  /** USER_HZ: Linux has shown 100 to every program since 2.6, whatever the kernel counts by. */
  private static final double TICKS_PER_SECOND = 100;

  // Fields of /proc/PID/stat, counted from the state, which follows the name in brackets.
  private static final int PARENT = 1;
  private static final int USER_TICKS = 11;
  private static final int SYSTEM_TICKS = 12;
  private static final int REAPED_USER_TICKS = 13;
  private static final int REAPED_SYSTEM_TICKS = 14;

  private ProcessUsage() {}

  /** CPU-seconds of a process so far, without its children; NaN if nothing is known. */
  static double cpuSeconds(long pid) {
    List<String> stat = stat(pid);
    return stat.isEmpty() ? Double.NaN : ticks(stat, USER_TICKS, SYSTEM_TICKS) / TICKS_PER_SECOND;
  }

  /**
   * CPU-seconds of a process and of its children so far, those that have ended included; NaN if
   * nothing is known.
   */
  static double cpuSecondsWithChildren(long pid) {
    List<String> stat = stat(pid);
    if (stat.isEmpty()) {
      return Double.NaN;
    }
    double ticks = ticks(stat, USER_TICKS, SYSTEM_TICKS, REAPED_USER_TICKS, REAPED_SYSTEM_TICKS);
    try (Stream<Path> all = Files.list(PROC)) {
      ticks +=
          all.map(path -> String.valueOf(path.getFileName()))
              .filter(name -> name.matches("[0-9]+"))
              .map(name -> stat(Long.parseLong(name)))
              .filter(child -> !child.isEmpty() && Long.parseLong(child.get(PARENT)) == pid)
              .mapToDouble(child -> ticks(child, USER_TICKS, SYSTEM_TICKS))
              .sum();
    } catch (IOException e) {
      return Double.NaN;
    }
    return ticks / TICKS_PER_SECOND;
  }

  /** PostgreSQL's process, whose children its backends are. */
  static long postmaster(BenchServers servers) throws SQLException {
    try (Connection superuser = servers.connectAsSuperuser();
        Statement statement = superuser.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      return parent(row.getLong(1)).orElse(-1);
    }
  }

  /** The parent of a process; empty if nothing is known. */
  static OptionalLong parent(long pid) {
    List<String> stat = stat(pid);
    return stat.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(Long.parseLong(stat.get(PARENT)));
  }

  /** The child of this JVM that runs a main class; empty if there is none to be seen. */
  static OptionalLong child(String mainClass) {
    return ProcessHandle.current()
        .descendants()
        .mapToLong(ProcessHandle::pid)
        .filter(pid -> read(pid, "cmdline").contains("\0" + mainClass + "\0"))
        .findFirst();
  }

  /** The most memory that a process has held at once, in MiB; NaN if nothing is known. */
  static double peakMemoryMib(long pid) {
    return read(pid, "status")
        .lines()
        .filter(line -> line.startsWith("VmHWM:"))
        .mapToDouble(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024.0)
        .findFirst()
        .orElse(Double.NaN);
  }

  private static double ticks(List<String> stat, int... fields) {
    double sum = 0;
    for (int field : fields) {
      sum += Long.parseLong(stat.get(field));
    }
    return sum;
  }

  private static List<String> stat(long pid) {
    String text = read(pid, "stat");
    int name = text.lastIndexOf(')');
    return name < 0 ? List.of() : List.of(text.substring(name + 2).strip().split(" "));
  }

  private static String read(long pid, String file) {
    try {
      return Files.readString(
          PROC.resolve(Long.toString(pid)).resolve(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}

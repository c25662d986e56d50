package dev.onceward.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM with a server, a stubborn child and a temporary directory ends in each possible way. */
class OrphanWatchTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir Path directory;

  @Test
  void nothing_is_left_when_the_jvm_ends_normally() {
    leavesNothing("return", parent -> {});
  }

  @Test
  void nothing_is_left_when_the_jvm_gets_sigterm() {
    leavesNothing("wait", parent -> parent.send(Signal.TERM));
  }

  @Test
  void nothing_is_left_when_the_jvm_is_killed() {
    leavesNothing("wait", ChildProcess::kill);
  }

  private void leavesNothing(String mode, java.util.function.Consumer<ChildProcess> end) {
    Path report = directory.resolve("report");
    try (ChildProcess parent =
        ChildCommand.java(
                "parent",
                Parent.class.getName(),
                List.of(),
                List.of(mode, report.toString(), directory.resolve("kept").toString()))
            .withOutput(directory.resolve("log"))
            .start()) {
      await().atMost(LONG).until(() -> Files.exists(report) || !parent.isAlive());
      assertThat(report).as("%s", parent.outputTail(30)).exists();
      List<String> lines = Files.readAllLines(report);
      Path temporary = Path.of(lines.get(0));
      List<Long> pids = lines.stream().skip(1).map(Long::valueOf).toList();
      if (mode.equals("wait")) {
        assertThat(temporary).isDirectory();
        assertThat(pids).allMatch(OrphanWatchTest::runs);
      }
      end.accept(parent);
      assertThat(parent.awaitExit(LONG)).isTrue();
      await()
          .atMost(LONG)
          .untilAsserted(
              () -> {
                assertThat(pids).noneMatch(OrphanWatchTest::runs);
                assertThat(temporary).doesNotExist();
              });
      assertThat(directory.resolve("kept/data/PG_VERSION")).exists();
      assertThat(directory.resolve("kept/data/postmaster.pid"))
          .as("PostgreSQL was stopped in order")
          .doesNotExist();
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static boolean runs(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  /** Arguments: return or wait, the file for the temporary directory and the pids, a directory. */
  static final class Parent {
    @SuppressWarnings("MustBeClosedChecker") // leaving all open is the point
    public static void main(String[] arguments) throws Exception {
      PostgresServer.start(PostgresOptions.keptIn(Path.of(arguments[2])));
      ChildProcess suspended = ChildCommand.program("sleep", List.of("sleep", "1000")).start();
      suspended.suspend();
      WorkDirectory temporary = WorkDirectory.open(null, "test");
      Files.createDirectories(temporary.resolve("with a space/below"));
      StringBuilder report = new StringBuilder(temporary.path() + "\n");
      ProcessHandle.current()
          .descendants()
          .filter(child -> !child.info().commandLine().orElse("").contains("orphan-watch"))
          .forEach(child -> report.append(child.pid()).append('\n'));
      Path unfinished = Path.of(arguments[1] + ".unfinished");
      Files.writeString(unfinished, report);
      Files.move(unfinished, Path.of(arguments[1]));
      if (arguments[0].equals("wait")) {
        new CountDownLatch(1).await();
      }
    }
  }
}

package dev.onceward.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir Path directory;

  @Test
  void a_main_class_runs_with_our_class_path_and_its_output_goes_to_a_file() {
    Path output = directory.resolve("made/for/it.log");
    try (ChildProcess child =
        ChildCommand.java("hello", Hello.class.getName(), List.of("-Dhello=2"), List.of("3"))
            .withEnvironment("HELLO", "1")
            .withOutput(output)
            .start()) {
      assertThat(child.awaitExit(LONG)).isTrue();
      assertThat(child.exitCode()).hasValue(7);
      assertThat(child.outputTail(5)).containsExactly("1 2 3");
    }
  }

  @Test
  void output_is_appended_and_the_tail_is_the_last_run_s() throws Exception {
    Path output = directory.resolve("log");
    Files.writeString(output, "before\n");
    try (ChildProcess child = shell("echo after; echo again").withOutput(output).start()) {
      assertThat(child.awaitExit(LONG)).isTrue();
      assertThat(child.outputTail(5)).containsExactly("after", "again");
      assertThat(child.outputTail(1)).containsExactly("again");
    }
    assertThat(output).hasContent("before\nafter\nagain\n");
  }

  @Test
  void a_suspended_process_acts_on_its_stop_signal_only_after_it_is_resumed() {
    try (ChildProcess child = sleep()) {
      child.suspend();
      assertThat(child.stop(Duration.ofMillis(300))).isFalse();
      assertThat(child.isAlive()).isTrue();
      assertThat(child.exitCode()).isEmpty();
      child.resume();
      assertThat(child.awaitExit(LONG)).isTrue();
    }
  }

  @Test
  void a_suspended_process_is_closed_like_any_other() {
    ChildProcess child = sleep();
    child.suspend();
    child.close();
    assertThat(child.isAlive()).isFalse();
  }

  @Test
  void a_kill_is_over_when_the_process_is_gone_and_may_be_repeated() {
    try (ChildProcess child = sleep()) {
      child.kill();
      assertThat(ProcessHandle.of(child.pid())).isEmpty();
      assertThat(child.exitCode()).hasValue(128 + 9);
      child.kill();
      child.send(Signal.TERM);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void it_has_a_session_of_its_own_so_that_ctrl_c_does_not_reach_it() throws Exception {
    try (ChildProcess child = sleep()) {
      // setsid replaces itself: once it has, field 6 of stat is the session
      org.awaitility.Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(
                          Files.readString(Path.of("/proc/" + child.pid() + "/stat")).split(" ")[5])
                      .isEqualTo(Long.toString(child.pid())));
    }
  }

  @Test
  void a_program_that_cannot_be_run_is_told_by_its_output() {
    Path output = directory.resolve("log");
    try (ChildProcess child =
        ChildCommand.program("nothing", List.of("/no/such/program")).withOutput(output).start()) {
      assertThat(child.awaitExit(LONG)).isTrue();
      assertThat(child.exitCode().orElseThrow()).isNotZero();
      assertThat(String.join("\n", child.outputTail(3))).contains("/no/such/program");
    }
  }

  @Test
  void an_output_file_that_cannot_be_written_is_named() {
    assertThatThrownBy(() -> shell("true").withOutput(Path.of("/dev/null/log")).start())
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("/dev/null/log");
  }

  private static ChildProcess sleep() {
    return ChildCommand.program("sleep", List.of("sleep", "1000")).start();
  }

  private static ChildCommand shell(String script) {
    return ChildCommand.program("shell", List.of("sh", "-c", script));
  }

  static final class Hello {
    public static void main(String[] arguments) {
      System.out.println(
          System.getenv("HELLO") + " " + System.getProperty("hello") + " " + arguments[0]);
      System.exit(7);
    }
  }
}

package dev.onceward.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class RefusalTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;

  @Test
  void an_unknown_option_is_a_usage_error() {
    assertThat(run("up", "--prot", "8080")).isEqualTo(2);
    assertThat(err.toString()).contains("--prot").contains("--port");
    assertThat(run("demo", "--fast")).isEqualTo(2);
  }

  @Test
  void a_number_that_is_no_port_is_a_usage_error() {
    assertThat(run("up", "--port", "70000")).isEqualTo(2);
    assertThat(err.toString()).contains("--port is 70000");
    assertThat(run("up", "--kafka-port", "many")).isEqualTo(2);
    assertThat(err.toString()).contains("'many'");
  }

  @Test
  void a_crash_matrix_of_unknown_cells_or_of_another_build_is_refused() throws IOException {
    String file = directory.resolve("matrix.jsonl").toString();
    assertThat(run("crash-matrix", "--results", file, "--cells", "at-noon")).isEqualTo(2);
    assertThat(err.toString()).contains("'at-noon' is no cell").contains("before-commit");
    assertThat(run("crash-matrix", "--results", file, "--postgres", "15")).isEqualTo(2);
    assertThat(run("crash-matrix", "--results", file, "--until", "24:10")).isEqualTo(2);

    Files.writeString(Path.of(file), "{\"build\":\"another\",\"findings\":[]}\n");
    assertThat(run("crash-matrix", "--results", file)).isEqualTo(2);
    assertThat(err.toString()).contains("results of another build").contains("--fresh");
  }

  @Test
  void a_taken_port_is_named_before_anything_is_started() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();

      assertThat(run("up", "--port", Integer.toString(port))).isEqualTo(4);

      assertThat(err.toString()).contains("port " + port + " for the API is taken");
      assertThat(out.toString()).doesNotContain("PostgreSQL");
    }
  }

  @Test
  void a_directory_with_other_peoples_files_is_refused_and_left_alone() throws IOException {
    Files.writeString(directory.resolve("thesis.tex"), "\\begin{document}");

    assertThat(run("up", "--data", directory.toString())).isEqualTo(2);

    assertThat(err.toString()).contains(directory + " is not empty and was not made by onceward");
    assertThat(directory.toFile().list()).containsExactly("thesis.tex");
  }

  @Test
  void a_data_directory_in_use_is_refused_with_the_process_that_uses_it() throws IOException {
    Files.writeString(directory.resolve("cluster.properties"), "format=1\n");
    Path lock = directory.resolve("lock");
    Files.writeString(lock, "4711");
    try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
        FileLock held = channel.lock()) {
      assertThat(held.isValid()).isTrue();
      assertThat(run("up", "--data", directory.toString())).isEqualTo(4);
    }
    assertThat(err.toString())
        .contains(directory + " is in use by process 4711")
        .contains("--data");
  }

  @Test
  void a_path_that_is_a_file_is_refused() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");

    assertThat(run("up", "--data", file.toString())).isEqualTo(4);

    assertThat(err.toString()).contains(file.toString()).contains("cannot be made or written");
  }

  private int run(String... arguments) {
    CommandLine commandLine = LocalMain.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(arguments);
  }
}

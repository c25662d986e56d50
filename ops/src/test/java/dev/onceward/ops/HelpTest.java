package dev.onceward.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class HelpTest {

  @Test
  void the_help_of_every_command_names_the_exit_codes() {
    CommandLine root = OncewardMain.commandLine();
    List<String> silent = new ArrayList<>();
    collect(root, silent);
    assertThat(silent).isEmpty();

    CommandRun help = CommandRun.of("relay", "pause", "--help");
    assertThat(help.exitCode()).isZero();
    assertThat(help.out()).contains("--dry-run").contains("--yes").contains("Exit codes:");
  }

  @Test
  void every_command_of_the_root_shows_examples() {
    OncewardMain.commandLine()
        .getSubcommands()
        .forEach(
            (name, command) -> {
              if (!name.equals("help")) {
                assertThat(command.getUsageMessage()).as(name).contains("Examples:");
              }
            });
  }

  @Test
  void the_completion_script_completes_commands_in_bash(@TempDir Path directory) throws Exception {
    CommandRun run = CommandRun.of("completion");
    assertThat(run.exitCode()).isZero();
    Path script = Files.writeString(directory.resolve("completion"), run.out());
    Process bash =
        new ProcessBuilder(
                "bash",
                "-c",
                "source "
                    + script
                    + "; COMP_WORDS=(onceward relay pa); COMP_CWORD=2; COMP_LINE='onceward relay pa';"
                    + " COMP_POINT=17; _complete_onceward onceward pa relay; echo \"${COMPREPLY[@]}\"")
            .redirectErrorStream(true)
            .start();
    assertThat(bash.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip())
        .isEqualTo("pause");
  }

  private static void collect(CommandLine command, List<String> silent) {
    if (!command.getUsageMessage().contains("Exit codes:")) {
      silent.add(command.getCommandSpec().qualifiedName());
    }
    command.getSubcommands().values().forEach(sub -> collect(sub, silent));
  }
}

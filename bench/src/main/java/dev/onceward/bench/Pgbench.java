package dev.onceward.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** PostgreSQL's own load generator: what statements cost without a program around them. */
final class Pgbench {

  private static final Pattern TPS = Pattern.compile("(?m)^tps = ([0-9.]+) \\(without");

  private static final String NUMBERING =
      """
      \\set n :client_id * :per + :i
      \\set i :i + 1
      """;

  private Pgbench() {}

  /**
   * Runs a script. In it {@code :n} counts from 0 over all clients.
   *
   * @param script statements, without the numbering
   * @param mode {@code simple} or {@code prepared}
   * @return scripts per second
   * @throws IllegalStateException if pgbench is missing or fails, with what it said
   */
  static double run(BenchServers servers, String script, String mode, int scripts, int clients)
      throws IOException, InterruptedException {
    int per = scripts / clients;
    Path file = Files.createTempFile("pgbench", ".sql");
    try {
      Files.writeString(file, NUMBERING + script);
      ProcessBuilder pgbench =
          new ProcessBuilder(
                  List.of(
                      "pgbench",
                      "-n",
                      "-M",
                      mode,
                      "-h",
                      "127.0.0.1",
                      "-p",
                      Integer.toString(servers.port()),
                      "-U",
                      BenchServers.APP_ROLE,
                      "-c",
                      Integer.toString(clients),
                      "-j",
                      "2",
                      "-t",
                      Integer.toString(per),
                      "-D",
                      "i=0",
                      "-D",
                      "per=" + per,
                      "-f",
                      file.toString(),
                      BenchServers.DATABASE))
              .redirectErrorStream(true);
      pgbench.environment().put("PGPASSWORD", servers.password());
      pgbench.environment().put("PGOPTIONS", "-c app.workspace_id=" + servers.workspaceId());
      Process process = pgbench.start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Matcher tps = TPS.matcher(said);
      if (process.waitFor() != 0 || !tps.find()) {
        throw new IllegalStateException("pgbench failed: " + said);
      }
      return Double.parseDouble(tps.group(1));
    } finally {
      Files.delete(file);
    }
  }
}

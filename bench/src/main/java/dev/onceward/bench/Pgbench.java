package dev.onceward.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** PostgreSQL's own load generator: what the statements cost without a worker around them. */
final class Pgbench {

  private static final Pattern TPS = Pattern.compile("(?m)^tps = ([0-9.]+) \\(without");

  /** The workspace is set once per connection, and each statement is its own transaction. */
  private static final String SCRIPT =
      """
      \\set n :client_id * :per + :i
      \\set i :i + 1
      UPDATE onceward.operations SET state = 'running', attempt = attempt + 1, lease_owner = 'pgbench',
        lease_expires_at = now() + interval '30 s', next_attempt_at = NULL, updated_at = now()
      WHERE event_id = ('PREFIX' || lpad((:n)::bigint::text, 12, '0'))::uuid AND attempt < max_attempts AND state = 'queued'
      RETURNING id;
      UPDATE onceward.operations SET state = 'succeeded', result = NULL, lease_owner = NULL, lease_expires_at = NULL,
        finished_at = now(), updated_at = now()
      WHERE event_id = ('PREFIX' || lpad((:n)::bigint::text, 12, '0'))::uuid AND state = 'running' AND lease_owner = 'pgbench' AND attempt = 1;
      """;

  private Pgbench() {}

  /**
   * Claims and finishes tasks that were written.
   *
   * @return tasks per second
   * @throws IllegalStateException if pgbench is missing or fails, with what it said
   */
  static double run(TaskWorld world, String idPrefix, int tasks, int clients)
      throws IOException, InterruptedException {
    int per = tasks / clients;
    Path script = Files.createTempFile("pgbench", ".sql");
    try {
      Files.writeString(script, SCRIPT.replace("PREFIX", idPrefix));
      ProcessBuilder pgbench =
          new ProcessBuilder(
                  List.of(
                      "pgbench",
                      "-n",
                      "-M",
                      "simple",
                      "-h",
                      "127.0.0.1",
                      "-p",
                      Integer.toString(world.port()),
                      "-U",
                      world.role(),
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
                      script.toString(),
                      world.database()))
              .redirectErrorStream(true);
      pgbench.environment().put("PGPASSWORD", world.password());
      pgbench.environment().put("PGOPTIONS", "-c app.workspace_id=" + world.workspaceId());
      Process process = pgbench.start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Matcher tps = TPS.matcher(said);
      if (process.waitFor() != 0 || !tps.find()) {
        throw new IllegalStateException("pgbench failed: " + said);
      }
      return Double.parseDouble(tps.group(1));
    } finally {
      Files.delete(script);
    }
  }
}

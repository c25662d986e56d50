package dev.onceward.bench;

import dev.onceward.api.ApiMain;
import dev.onceward.db.UuidV7;
import dev.onceward.db.workspace.AccessKeyStore;
import dev.onceward.db.workspace.Role;
import dev.onceward.db.workspace.UserStore;
import dev.onceward.embedded.ChildCommand;
import dev.onceward.embedded.ChildProcess;
import dev.onceward.embedded.KafkaOptions;
import dev.onceward.local.client.ApiClient;
import dev.onceward.local.report.ReportOptions;
import dev.onceward.process.ExitCode;
import dev.onceward.process.Secret;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code onceward bench writes}: idempotent creates against their bare statements. */
@Command(
    name = "writes",
    mixinStandardHelpOptions = true,
    description =
        "Compares the API's idempotent creates with pgbench running the same statements; nothing"
            + " else runs.")
final class WritesCommand implements Callable<Integer> {
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);
  private static final Duration READY_LIMIT = Duration.ofSeconds(60);
  private static final Duration LOOK = Duration.ofMillis(50);
  private static final String KEY = "bench:" + Base64.getEncoder().encodeToString(new byte[32]);

  /** What one create sends, in the order of the service, its ids made beforehand as there. */
  private static final String CREATE =
      """
      BEGIN;
      SELECT set_config('app.workspace_id', 'WORKSPACE', true), pg_try_advisory_xact_lock(:n);
      SELECT fingerprint, fingerprint_key_id, response_status, response_headers, response_body
      FROM onceward.idempotency_requests
      WHERE workspace_id = 'WORKSPACE' AND user_id = 'USER' AND method = 'POST' AND path = '/v1/stores'
        AND key = 'ROUND' || (:n)::bigint::text AND status = 'completed' AND expires_at > now();
      INSERT INTO onceward.stores (id, platform, external_id, name, credentials)
      VALUES (('PREFIX1' || lpad((:n)::bigint::text, 12, '0'))::uuid, 'shopline', 'ROUND' || (:n)::bigint::text,
        'Shop ROUND' || (:n)::bigint::text, decode(repeat('5a', 90), 'hex'))
      ON CONFLICT ON CONSTRAINT stores_external_id DO NOTHING
      RETURNING id, platform, external_id, name, credential_version, verification, verified_at, account_name, created_at,
        updated_at;
      SELECT * FROM onceward.task_append(event_type => 'store.credentials_submitted', payload_version => 1,
        aggregate_type => 'store', aggregate_id => 'PREFIX1' || lpad((:n)::bigint::text, 12, '0'),
        resource_type => 'store', resource_id => 'PREFIX1' || lpad((:n)::bigint::text, 12, '0'),
        business_key => 'ROUND' || (:n)::bigint::text, request_id => 'PREFIX2', correlation_id => 'PREFIX2',
        payload => ('{"store_id": "PREFIX1", "credential_version": ' || (:n)::bigint::text || '}')::json,
        event_id => ('PREFIX2' || lpad((:n)::bigint::text, 12, '0'))::uuid,
        operation_id => ('PREFIX3' || lpad((:n)::bigint::text, 12, '0'))::uuid,
        kind => 'verify_store_credentials', max_attempts => 8);
      INSERT INTO onceward.idempotency_requests AS stored (workspace_id, user_id, method, path, key, fingerprint,
        fingerprint_key_id, status, response_status, response_headers, response_body, expires_at)
      VALUES ('WORKSPACE', 'USER', 'POST', '/v1/stores', 'ROUND' || (:n)::bigint::text, decode(repeat('5a', 32), 'hex'),
        'bench', 'completed', 202, '{"Location": "/v1/operations/PREFIX3"}', repeat('x', 700), now() + interval '48 h')
      ON CONFLICT ON CONSTRAINT idempotency_requests_scope DO UPDATE
      SET fingerprint = excluded.fingerprint, fingerprint_key_id = excluded.fingerprint_key_id,
        status = excluded.status, response_status = excluded.response_status,
        response_headers = excluded.response_headers, response_body = excluded.response_body,
        created_at = now(), expires_at = excluded.expires_at
      WHERE stored.expires_at <= now();
      COMMIT;
      """;

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds (${DEFAULT-VALUE}).")
  private int rounds = 5;

  @Option(
      names = "--requests",
      paramLabel = "N",
      description = "Creates of each in each round (${DEFAULT-VALUE}).")
  private int requests = 5_000;

  @Option(names = "--concurrency", paramLabel = "N", description = "Clients (${DEFAULT-VALUE}).")
  private int concurrency = 8;

  @Mixin private ReportOptions report = new ReportOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws Exception {
    report.checkRange("--rounds", rounds, 1, 99);
    report.checkRange("--concurrency", concurrency, 1, 1_000);
    report.checkRange("--requests", requests, concurrency, 1_000_000);
    PrintWriter err = spec.commandLine().getErr();
    List<WritesReport.Round> measured = new ArrayList<>();
    try (BenchServers servers = new BenchServers(KafkaOptions.temporary())) {
      UUID user = servers.app().inWorkspace(servers.workspaceId(), WritesCommand::user);
      Secret accessKey =
          servers
              .app()
              .inWorkspace(
                  servers.workspaceId(),
                  connection ->
                      new Secret(AccessKeyStore.create(connection, user, "bench").reveal()));
      int port = freePort();
      URI url = URI.create("http://127.0.0.1:" + port);
      Path log = Files.createTempFile("onceward-bench-", ".log");
      try (ChildProcess api = api(servers, port).withOutput(log).start()) {
        awaitReady(api, url);
        ApiClient client = new ApiClient(url, accessKey, ANSWER_LIMIT);
        Latencies unused = new ApiLoad(client, "warm-up-").send(requests, concurrency);
        for (int round = 0; round < rounds; round++) {
          long began = System.nanoTime();
          Latencies latencies =
              new ApiLoad(client, "api-" + round + "-").send(requests, concurrency);
          double perSecond = requests / ((System.nanoTime() - began) / 1e9);
          double bare =
              Pgbench.run(servers, script(servers, user, round), "prepared", requests, concurrency);
          measured.add(
              new WritesReport.Round(
                  perSecond,
                  bare,
                  latencies.percentileMillis(0.50),
                  latencies.percentileMillis(0.99)));
          err.printf("  round %d: API %.0f/s, pgbench %.0f/s%n", round + 1, perSecond, bare);
          err.flush();
        }
      } finally {
        Files.delete(log);
      }
    }
    report.print(WritesReport.of(requests, concurrency, measured));
    return ExitCode.OK.number();
  }

  private static UUID user(Connection connection) throws SQLException {
    return UserStore.create(connection, "bench", Role.MEMBER);
  }

  private static String script(BenchServers servers, UUID user, int round) {
    return CREATE
        .replace("WORKSPACE", servers.workspaceId().toString())
        .replace("USER", user.toString())
        .replace("ROUND", "pgbench-" + round + "-")
        .replace("PREFIX1", idPrefix())
        .replace("PREFIX2", idPrefix())
        .replace("PREFIX3", idPrefix());
  }

  /** Of a version 7 id; twelve digits follow. */
  private static String idPrefix() {
    return UuidV7.next().toString().substring(0, 24);
  }

  private static ChildCommand api(BenchServers servers, int port) {
    return ChildCommand.java("api", ApiMain.class.getName(), List.of("-Xmx512m"), List.of())
        .withEnvironment("ONCEWARD_DATABASE_URL", servers.url())
        .withEnvironment("ONCEWARD_DATABASE_USER", BenchServers.APP_ROLE)
        .withEnvironment("ONCEWARD_DATABASE_PASSWORD", servers.password())
        .withEnvironment("ONCEWARD_API_FINGERPRINT_KEYS", KEY)
        .withEnvironment("ONCEWARD_CREDENTIAL_KEYS", KEY)
        .withEnvironment("ONCEWARD_API_HOST", "127.0.0.1")
        .withEnvironment("ONCEWARD_API_PORT", Integer.toString(port))
        .withEnvironment("ONCEWARD_API_RATE_LIMIT_PER_SECOND", "1000000")
        .withEnvironment("ONCEWARD_API_RATE_LIMIT_BURST", "10000000");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void awaitReady(ChildProcess api, URI url) throws InterruptedException {
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest ready = HttpRequest.newBuilder(url.resolve("/health/ready")).build();
    long deadline = System.nanoTime() + READY_LIMIT.toNanos();
    while (true) {
      try {
        if (client.send(ready, HttpResponse.BodyHandlers.discarding()).statusCode() == 200) {
          return;
        }
      } catch (IOException away) {
        // Not yet.
      }
      if (!api.isAlive() || System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "the API did not become ready: " + String.join("\n", api.outputTail(20)));
      }
      Thread.sleep(LOOK.toMillis());
    }
  }
}

package dev.onceward.ops.console;

import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.doctor.Examination;
import dev.onceward.ops.event.EventSearch;
import dev.onceward.ops.kafka.RelayRouting;
import dev.onceward.process.Secret;
import dev.onceward.process.Settings;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the console is told. Immutable.
 *
 * @param databaseUrl JDBC address
 * @param databaseUser the process's own login, which only looks
 * @param databasePassword of it; null where the server asks for none
 * @param host where to listen
 * @param port 0 takes a free one
 * @param publicUrl as browsers write it, without a path; null if they connect directly, without TLS
 * @param sampleInterval how often the pipeline is looked at
 * @param sessionIdle after how long without a request a session ends
 * @param sessionLife after how long it ends in any case
 * @param workerGroup the workers' group of consumers
 * @param routing which way the events take
 * @param search finds events
 * @param examination the doctor's
 */
record ConsoleConfig(
    String databaseUrl,
    String databaseUser,
    @Nullable Secret databasePassword,
    String host,
    int port,
    @Nullable URI publicUrl,
    Duration sampleInterval,
    Duration sessionIdle,
    Duration sessionLife,
    String workerGroup,
    RelayRouting routing,
    EventSearch search,
    Examination examination) {

  static final int DEFAULT_PORT = 8083;

  private static final int MAX_PORT = 65_535;
  private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(2);
  private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(500);
  private static final Duration LONGEST_INTERVAL = Duration.ofMinutes(1);
  private static final Duration DEFAULT_IDLE = Duration.ofMinutes(30);
  private static final Duration DEFAULT_LIFE = Duration.ofHours(12);

  /**
   * Reads and verifies the settings.
   *
   * @throws dev.onceward.process.ConfigurationException naming everything that is wrong
   */
  static ConsoleConfig from(Settings settings) {
    String url =
        settings.text("onceward.database.url", "JDBC address, jdbc:postgresql://host:port/name.");
    String user =
        settings.text(
            "onceward.database.user",
            OpsOptions.READING_ROLE,
            "The console's own login; it only looks. Operators sign in with theirs.");
    Secret password = settings.optionalSecret("onceward.database.password", "Of that login.");
    String host = settings.text("onceward.console.host", "0.0.0.0", "The address to listen on.");
    int port =
        settings.integer(
            "onceward.console.port",
            DEFAULT_PORT,
            0,
            MAX_PORT,
            "port",
            "The port to listen on; 0 takes a free one.");
    URI publicUrl = publicUrl(settings);
    Duration interval =
        settings.duration(
            "onceward.console.sample-interval",
            DEFAULT_INTERVAL,
            SHORTEST_INTERVAL,
            LONGEST_INTERVAL,
            "How often the pipeline is looked at; less often where a look takes long.");
    Duration idle =
        settings.duration(
            "onceward.console.session-idle",
            DEFAULT_IDLE,
            Duration.ofMinutes(1),
            DEFAULT_LIFE,
            "After how long without a request a session ends.");
    Duration life =
        settings.duration(
            "onceward.console.session-life",
            DEFAULT_LIFE,
            Duration.ofMinutes(1),
            DEFAULT_LIFE,
            "After how long a session ends in any case.");
    String group =
        settings.text(
            "onceward.worker.group-id", "onceward-workers", "The workers' group, as they have it.");
    RelayRouting routing = RelayRouting.from(settings);
    EventSearch search = EventSearch.from(settings);
    Examination examination = Examination.prepared(settings);
    settings.verify("onceward.console");
    return new ConsoleConfig(
        url,
        user,
        password,
        host,
        port,
        publicUrl,
        interval,
        idle,
        life,
        group,
        routing,
        search,
        examination);
  }

  private static @Nullable URI publicUrl(Settings settings) {
    String key = "onceward.console.public-url";
    String text =
        settings.optionalText(
            key,
            "How browsers reach the console behind a proxy, such as https://console.example.com;"
                + " with https the session's cookie is marked Secure.");
    if (text == null) {
      return null;
    }
    URI uri =
        settings.made(key, text, ConsoleConfig::origin, URI.create("http://placeholder.invalid"));
    return uri;
  }

  private static URI origin(String text) {
    URI uri = URI.create(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
    boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
    if (!web || uri.getHost() == null || !uri.getRawPath().isEmpty() || uri.getQuery() != null) {
      throw new IllegalArgumentException("write http(s)://HOST or http(s)://HOST:PORT");
    }
    return uri;
  }

  /** Whether browsers come over TLS. */
  boolean isSecure() {
    return publicUrl != null && "https".equals(publicUrl.getScheme());
  }
}

package dev.onceward.worker.http;

import dev.onceward.process.Secret;
import dev.onceward.process.Settings;
import dev.onceward.worker.handle.HandledType;
import dev.onceward.worker.outbound.AllowedHosts;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One endpoint and the event type it is for. Immutable; its text form shows no secret.
 *
 * @param name as in the configuration
 * @param type the event type, with the kind of operation it asks for
 * @param url where the event is posted
 * @param secrets for the signature; null for none
 * @param timeout for a whole attempt
 * @param allowedHosts {@code host:port} pairs, lower case, that redirects may lead to although
 *     their addresses are not public
 */
public record HttpHandlerConfig(
    String name,
    HandledType type,
    URI url,
    @Nullable WebhookSecrets secrets,
    Duration timeout,
    Set<String> allowedHosts) {

  private static final String NAMES = "onceward.worker.http-handlers";
  private static final String ALLOWED = "onceward.worker.http-redirect-hosts-allowed";
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** Copies the pairs. */
  public HttpHandlerConfig {
    allowedHosts = Set.copyOf(allowedHosts);
  }

  /** Reads all of them; what is wrong is recorded in the settings. */
  public static List<HttpHandlerConfig> from(Settings settings) {
    String names =
        settings.optionalText(
            NAMES,
            "NAME[,NAME] of handlers that are HTTP endpoints; each has its own settings"
                + " onceward.worker.http-handler.NAME.*.");
    Set<String> allowed = allowed(settings);
    List<HttpHandlerConfig> handlers = new ArrayList<>();
    for (String name : names == null ? new String[0] : names.split(",", -1)) {
      if (name.strip().matches("[a-z][a-z0-9-]{0,62}")) {
        handlers.add(one(settings, name.strip(), allowed));
      } else {
        settings.problem(
            NAMES,
            "holds \"" + name.strip() + "\"",
            "Use lower-case letters, digits and hyphens, beginning with a letter");
      }
    }
    return List.copyOf(handlers);
  }

  private static HttpHandlerConfig one(Settings settings, String name, Set<String> allowed) {
    String prefix = "onceward.worker.http-handler." + name + ".";
    String eventType = settings.text(prefix + "event-type", "The events that are posted.");
    String aggregateType =
        settings.text(prefix + "aggregate-type", "Of those events; it names their topic.");
    String kind =
        settings.text(prefix + "operation-kind", "The kind of operation that they ask for.");
    int version =
        settings.integer(
            prefix + "payload-version",
            1,
            1,
            1_000_000,
            "version",
            "The newest payload version that the endpoint reads.");
    URI url = settings.uri(prefix + "url", "Where the events are posted.");
    Duration timeout =
        settings.duration(
            prefix + "timeout",
            TIMEOUT,
            Duration.ofMillis(100),
            Duration.ofHours(1),
            "How long one attempt may take.");
    Secret secret =
        settings.optionalSecret(
            prefix + "secret",
            "whsec_BASE64[,whsec_BASE64]: the events are signed with each of them.");
    WebhookSecrets secrets = null;
    if (secret != null) {
      try {
        secrets = WebhookSecrets.parse(secret.reveal());
      } catch (IllegalArgumentException malformed) {
        settings.problem(
            prefix + "secret",
            "is not of the form whsec_BASE64 with 24 to 64 bytes",
            "Give whsec_ and the secret in base64");
      }
    }
    return new HttpHandlerConfig(
        name,
        new HandledType(eventType, version, aggregateType, kind),
        url,
        secrets,
        timeout,
        allowed);
  }

  private static Set<String> allowed(Settings settings) {
    return AllowedHosts.from(
        settings,
        ALLOWED,
        "HOST:PORT[,HOST:PORT] that endpoints may redirect to although the addresses are not"
            + " public.");
  }
}

package dev.onceward.worker.http;

import dev.onceward.event.EnvelopeCodec;
import dev.onceward.worker.handle.EventHandler;
import dev.onceward.worker.handle.HandledType;
import dev.onceward.worker.handle.HandlerResult;
import dev.onceward.worker.handle.PermanentTaskException;
import dev.onceward.worker.handle.RetriableTaskException;
import dev.onceward.worker.handle.TaskAttempt;
import dev.onceward.worker.handle.TaskException;
import dev.onceward.worker.http.EndpointClient.AddressRefusedException;
import dev.onceward.worker.http.EndpointClient.Answer;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;

/** Posts the event to a configured endpoint; see the package's note. Thread-safe. */
public final class HttpEventHandler implements EventHandler {

  static final int MAX_REDIRECTS = 3;

  private final HttpHandlerConfig config;
  private final Clock clock;
  private final EndpointClient client = new EndpointClient();

  /** A handler that calls nobody before its first event. */
  public HttpEventHandler(HttpHandlerConfig config, Clock clock) {
    this.config = config;
    this.clock = clock;
  }

  @Override
  public Collection<HandledType> handledTypes() {
    return List.of(config.type());
  }

  @Override
  public Duration timeout() {
    return config.timeout();
  }

  @Override
  public HandlerResult handle(TaskAttempt attempt) throws TaskException, InterruptedException {
    byte[] body = EnvelopeCodec.encode(attempt.event().envelope());
    long deadline = System.nanoTime() + config.timeout().toNanos();
    URI url = config.url();
    for (int redirects = 0; ; redirects++) {
      Answer answer = post(url, redirects == 0, attempt, body, deadline);
      int status = answer.status();
      if (status >= 200 && status < 300) {
        return HandlerResult.of("{\"http_status\":" + status + "}");
      }
      if (status != 307 && status != 308) {
        throw refusal(answer);
      }
      if (redirects == MAX_REDIRECTS) {
        throw redirectRefused("The endpoint redirects more than " + MAX_REDIRECTS + " times.");
      }
      url = next(url, answer);
    }
  }

  private Answer post(URI url, boolean configured, TaskAttempt attempt, byte[] body, long deadline)
      throws TaskException, InterruptedException {
    Duration left = Duration.ofNanos(Math.max(1_000_000, deadline - System.nanoTime()));
    int port = port(url);
    boolean anywhere =
        configured
            || config.allowedHosts().contains(url.getHost().toLowerCase(Locale.ROOT) + ":" + port);
    try {
      return client.post(
          request(url, attempt, body),
          new HttpHost(url.getScheme(), url.getHost(), port),
          anywhere,
          left);
    } catch (AddressRefusedException refused) {
      throw redirectRefused(
          "The endpoint redirects to a host whose address is not public;"
              + " onceward.worker.http-redirect-hosts-allowed may name it.");
    } catch (IOException failure) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      boolean late = System.nanoTime() - deadline >= 0;
      throw new RetriableTaskException(
          late ? "HTTP_HANDLER_TIMEOUT" : "HTTP_HANDLER_UNREACHABLE",
          late
              ? "The endpoint did not answer within " + config.timeout() + "."
              : "The connection to the endpoint failed.",
          null,
          failure);
    }
  }

  private HttpPost request(URI url, TaskAttempt attempt, byte[] body) {
    HttpPost request = new HttpPost(url);
    String key = attempt.idempotencyKey();
    request.setHeader("Idempotency-Key", key);
    String traceparent = attempt.event().traceparent();
    if (traceparent != null) {
      request.setHeader("traceparent", traceparent);
    }
    WebhookSecrets secrets = config.secrets();
    if (secrets != null) {
      long now = clock.instant().getEpochSecond();
      request.setHeader("webhook-id", key);
      request.setHeader("webhook-timestamp", Long.toString(now));
      request.setHeader("webhook-signature", secrets.sign(key, now, body));
    }
    request.setEntity(new ByteArrayEntity(body, ContentType.APPLICATION_JSON));
    return request;
  }

  private static TaskException refusal(Answer answer) {
    int status = answer.status();
    String says = "The endpoint answered with status " + status + ".";
    if (status == 408 || status == 425 || status == 429 || status >= 500) {
      return new RetriableTaskException(
          "HTTP_HANDLER_UNAVAILABLE", says, answer.retryAfter(), null);
    }
    return new PermanentTaskException("HTTP_HANDLER_REJECTED", says);
  }

  private static URI next(URI url, Answer answer) throws PermanentTaskException {
    String location = answer.location();
    try {
      URI next = url.resolve(new URI(location == null ? "" : location));
      boolean http = "http".equalsIgnoreCase(next.getScheme());
      if (next.getHost() == null || !(http || "https".equalsIgnoreCase(next.getScheme()))) {
        throw redirectRefused("The endpoint redirects to something that is no http URL.");
      }
      if (http && "https".equalsIgnoreCase(url.getScheme())) {
        throw redirectRefused("The endpoint redirects from https to http.");
      }
      return next;
    } catch (URISyntaxException malformed) {
      throw redirectRefused("The endpoint redirects to something that is no http URL.");
    }
  }

  private static int port(URI url) {
    return url.getPort() >= 0
        ? url.getPort()
        : "https".equalsIgnoreCase(url.getScheme()) ? 443 : 80;
  }

  private static PermanentTaskException redirectRefused(String summary) {
    return new PermanentTaskException("HTTP_HANDLER_REDIRECT_REFUSED", summary);
  }
}

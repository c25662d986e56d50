package dev.onceward.worker.http;

import dev.onceward.worker.outbound.PublicAddresses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Posts to endpoints. Redirects are left to the caller; no cookies, no proxy, no repetitions, and
 * of an answer only the head. Certificates and host names are checked by the JVM's trust store.
 * Thread-safe.
 */
final class EndpointClient {

  private static final Timeout CONNECT_TIMEOUT = Timeout.ofSeconds(5);
  private static final int MAX_CONNECTIONS = 1_000;

  /** An answer with no more than this is read to its end, so that its connection can be reused. */
  private static final int SMALL_ANSWER_BYTES = 4_096;

  private static final long REST_MILLIS = 1_000;

  /**
   * What an endpoint answered.
   *
   * @param location null if there is none
   * @param retryAfter null if it asks for no wait, or in another form than seconds
   */
  record Answer(int status, @Nullable String location, @Nullable Duration retryAfter) {}

  /** The host has an address that is not public. */
  static final class AddressRefusedException extends UnknownHostException {
    private static final long serialVersionUID = 1L;

    AddressRefusedException() {
      super("the host has an address that is not public");
    }
  }

  private static final DnsResolver PUBLIC_ONLY =
      new DnsResolver() {
        @Override
        public InetAddress[] resolve(String host) throws UnknownHostException {
          InetAddress[] addresses = InetAddress.getAllByName(host);
          for (InetAddress address : addresses) {
            if (!PublicAddresses.contain(address)) {
              throw new AddressRefusedException();
            }
          }
          return addresses;
        }

        @Override
        public String resolveCanonicalHostname(String host) {
          return host;
        }
      };

  private final CloseableHttpClient anywhere = client(SystemDefaultDnsResolver.INSTANCE);
  private final CloseableHttpClient publicOnly = client(PUBLIC_ONLY);
  private final ScheduledExecutorService alarms =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "endpoint-deadlines");
            thread.setDaemon(true);
            return thread;
          });

  private static CloseableHttpClient client(DnsResolver resolver) {
    return HttpClients.custom()
        .setConnectionManager(
            PoolingHttpClientConnectionManagerBuilder.create()
                .setDnsResolver(resolver)
                .setMaxConnTotal(MAX_CONNECTIONS)
                .setMaxConnPerRoute(MAX_CONNECTIONS)
                .setDefaultConnectionConfig(
                    ConnectionConfig.custom().setConnectTimeout(CONNECT_TIMEOUT).build())
                .build())
        .setUserAgent("onceward")
        .disableRedirectHandling()
        .disableCookieManagement()
        .disableAuthCaching()
        .disableAutomaticRetries()
        .disableContentCompression()
        .build();
  }

  /**
   * Posts once.
   *
   * @param anywhereAllowed whether the address may be one that is not public
   * @param left how long the answer's head may take
   * @throws IOException if there is no answer
   */
  Answer post(HttpPost request, HttpHost host, boolean anywhereAllowed, Duration left)
      throws IOException {
    request.setConfig(RequestConfig.custom().setResponseTimeout(Timeout.of(left)).build());
    Future<?> alarm = alarms.schedule(request::cancel, left.toMillis(), TimeUnit.MILLISECONDS);
    try {
      ClassicHttpResponse response =
          (anywhereAllowed ? anywhere : publicOnly).executeOpen(host, request, null);
      Answer answer =
          new Answer(
              response.getCode(),
              text(response.getFirstHeader("Location")),
              seconds(text(response.getFirstHeader("Retry-After"))));
      alarm.cancel(false);
      finish(request, response);
      return answer;
    } finally {
      alarm.cancel(false);
    }
  }

  /** Reads a small rest, so that the connection can be used again; cuts any other off. */
  private void finish(HttpPost request, ClassicHttpResponse response) {
    HttpEntity entity = response.getEntity();
    boolean small = entity == null || within(entity.getContentLength());
    Future<?> alarm =
        alarms.schedule(request::cancel, small ? REST_MILLIS : 0, TimeUnit.MILLISECONDS);
    try (response) {
      if (small) {
        EntityUtils.consume(entity);
      } else {
        request.cancel();
      }
    } catch (IOException cutOff) {
      // The status has been said; whatever follows it is not needed.
    } finally {
      alarm.cancel(false);
    }
  }

  private static boolean within(long contentLength) {
    return contentLength >= 0 && contentLength <= SMALL_ANSWER_BYTES;
  }

  private static @Nullable String text(@Nullable Header header) {
    return header == null ? null : header.getValue();
  }

  /** RFC 9110, section 10.2.3, in its form of seconds. */
  private static @Nullable Duration seconds(@Nullable String text) {
    return text != null && text.matches("[0-9]{1,6}")
        ? Duration.ofSeconds(Long.parseLong(text))
        : null;
  }
}

package dev.onceward.worker.media;

import dev.onceward.worker.handle.RetriableTaskException;
import dev.onceward.worker.handle.TaskException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.HttpHostConnectException;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.util.Timeout;

/**
 * Opens connections to addresses that were checked, one per request. It cannot look a name up, does
 * not follow redirects, keeps no cookies, unpacks nothing and uses no proxy. Thread-safe.
 */
final class MaterialConnections {

  private static final Timeout CONNECT_TIMEOUT = Timeout.ofSeconds(5);
  private static final Timeout SILENCE_TIMEOUT = Timeout.ofSeconds(10);
  private static final int MAX_CONNECTIONS = 1_000;

  private static final DnsResolver NEVER =
      new DnsResolver() {
        @Override
        public InetAddress[] resolve(String host) throws UnknownHostException {
          throw new UnknownHostException("only checked addresses are connected to");
        }

        @Override
        public String resolveCanonicalHostname(String host) throws UnknownHostException {
          throw new UnknownHostException("only checked addresses are connected to");
        }
      };

  private final ScheduledExecutorService alarms =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "material-deadlines");
            thread.setDaemon(true);
            return thread;
          });

  private final CloseableHttpClient http =
      HttpClients.custom()
          .setConnectionManager(
              PoolingHttpClientConnectionManagerBuilder.create()
                  .setDnsResolver(NEVER)
                  .setMaxConnTotal(MAX_CONNECTIONS)
                  .setMaxConnPerRoute(MAX_CONNECTIONS)
                  .setDefaultConnectionConfig(
                      ConnectionConfig.custom()
                          .setConnectTimeout(CONNECT_TIMEOUT)
                          .setSocketTimeout(SILENCE_TIMEOUT)
                          .build())
                  .build())
          .setDefaultRequestConfig(
              RequestConfig.custom().setResponseTimeout(SILENCE_TIMEOUT).build())
          .setConnectionReuseStrategy((request, response, context) -> false)
          .setUserAgent("onceward")
          .disableRedirectHandling()
          .disableCookieManagement()
          .disableAuthCaching()
          .disableAutomaticRetries()
          .disableContentCompression()
          .build();

  /**
   * Sends a GET to the first of the target's addresses that takes a connection.
   *
   * @throws RetriableTaskException if none answers in time
   */
  MaterialExchange get(MaterialTarget target, Deadline deadline)
      throws TaskException, InterruptedException {
    IOException last = new IOException("no address");
    for (InetAddress address : target.addresses()) {
      HttpGet request = new HttpGet(target.url());
      request.setHeader("Accept", "*/*");
      request.setHeader("Accept-Encoding", "identity");
      HttpHost host = new HttpHost(target.scheme(), address, target.host(), target.port());
      Future<?> alarm =
          alarms.schedule(request::cancel, deadline.left().toNanos(), TimeUnit.NANOSECONDS);
      try {
        return new MaterialExchange(http.executeOpen(host, request, null), alarm);
      } catch (IOException failure) {
        alarm.cancel(false);
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        last = failure;
        boolean notConnected =
            failure instanceof HttpHostConnectException
                || failure instanceof ConnectTimeoutException;
        if (!notConnected || deadline.isPast()) {
          break;
        }
      }
    }
    throw classify(last, deadline);
  }

  /** What a broken exchange means: the texts of such failures name addresses and stay inside. */
  static RetriableTaskException classify(IOException failure, Deadline deadline) {
    if (deadline.isPast() || failure instanceof InterruptedIOException) {
      Duration span = deadline.span();
      return new RetriableTaskException(
          "MATERIAL_TIMEOUT",
          "The source was silent too long or did not send all within " + span + ".",
          null,
          failure);
    }
    return new RetriableTaskException(
        "MATERIAL_UNREACHABLE", "The connection to the source failed.", null, failure);
  }
}

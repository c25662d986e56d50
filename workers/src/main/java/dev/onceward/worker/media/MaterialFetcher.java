package dev.onceward.worker.media;

import dev.onceward.db.media.ContentTooLargeException;
import dev.onceward.db.media.SpooledContent;
import dev.onceward.worker.handle.MaterialRules;
import dev.onceward.worker.handle.PermanentTaskException;
import dev.onceward.worker.handle.RetriableTaskException;
import dev.onceward.worker.handle.TaskException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.jspecify.annotations.Nullable;

/**
 * Fetches materials over HTTP into temporary files. Thread-safe; a call lasts until the bytes are
 * there or the time is up.
 */
final class MaterialFetcher {

  static final int MAX_REDIRECTS = 3;

  private static final int BUFFER_BYTES = 64 * 1024;

  private final MaterialRules rules;
  private final HostResolver resolver;
  private final MaterialConnections connections = new MaterialConnections();

  MaterialFetcher(MaterialRules rules, HostResolver resolver) {
    this.rules = rules;
    this.resolver = resolver;
  }

  /**
   * Fetches one material.
   *
   * @param over whether nobody waits for it any more
   * @return its bytes, at least one; the caller closes it
   * @throws PermanentTaskException if it may not be fetched, or never will be
   * @throws RetriableTaskException if a later attempt may help
   * @throws InterruptedException if nobody waits any more
   */
  SpooledContent fetch(URI source, BooleanSupplier over)
      throws TaskException, IOException, InterruptedException {
    Deadline deadline = Deadline.in(rules.timeout());
    URI url = source;
    for (int redirects = 0; ; redirects++) {
      MaterialTarget target = MaterialTarget.check(url, rules, resolver);
      try (MaterialExchange exchange = connections.get(target, deadline)) {
        ClassicHttpResponse response = exchange.response();
        if (!isRedirect(response.getCode())) {
          requireOk(response);
          return read(response, deadline, over);
        }
        if (redirects == MAX_REDIRECTS) {
          throw redirectRefused("The source redirects more than " + MAX_REDIRECTS + " times.");
        }
        url = next(url, response);
      }
    }
  }

  private static boolean isRedirect(int status) {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
  }

  private static URI next(URI url, ClassicHttpResponse response) throws PermanentTaskException {
    Header location = response.getFirstHeader("Location");
    try {
      URI next = url.resolve(new URI(location == null ? "" : location.getValue()));
      if ("https".equalsIgnoreCase(url.getScheme())
          && !"https".equalsIgnoreCase(next.getScheme())) {
        throw redirectRefused("The source redirects from https to something less.");
      }
      return next;
    } catch (URISyntaxException malformed) {
      throw redirectRefused("The source redirects to something that is no URL.");
    }
  }

  private static PermanentTaskException redirectRefused(String summary) {
    return new PermanentTaskException("MATERIAL_REDIRECT_REFUSED", summary);
  }

  private static void requireOk(ClassicHttpResponse response) throws TaskException {
    int status = response.getCode();
    if (status == 408 || status == 429 || status >= 500) {
      throw new RetriableTaskException(
          "MATERIAL_SOURCE_UNAVAILABLE",
          "The source answered with status " + status + ".",
          retryAfter(response),
          null);
    }
    if (status != 200) {
      throw new PermanentTaskException(
          "MATERIAL_SOURCE_REFUSED", "The source answered with status " + status + ".");
    }
  }

  /** RFC 9110, section 10.2.3, in its form of seconds; null if absent or of the other form. */
  private static @Nullable Duration retryAfter(ClassicHttpResponse response) {
    Header header = response.getFirstHeader("Retry-After");
    return header != null && header.getValue().matches("[0-9]{1,6}")
        ? Duration.ofSeconds(Long.parseLong(header.getValue()))
        : null;
  }

  private SpooledContent read(ClassicHttpResponse response, Deadline deadline, BooleanSupplier over)
      throws TaskException, IOException, InterruptedException {
    HttpEntity entity = response.getEntity();
    if (entity == null) {
      throw empty();
    }
    String coding = entity.getContentEncoding();
    if (coding != null && !coding.equalsIgnoreCase("identity")) {
      throw new PermanentTaskException(
          "MATERIAL_ENCODED", "The source sends the material with a content coding.");
    }
    if (entity.getContentLength() > rules.maxBytes()) {
      throw tooLarge();
    }
    SpooledContent content = spool(entity, deadline, over);
    if (content.sizeBytes() == 0) {
      content.close();
      throw empty();
    }
    return content;
  }

  private SpooledContent spool(HttpEntity entity, Deadline deadline, BooleanSupplier over)
      throws TaskException, IOException, InterruptedException {
    try {
      return SpooledContent.from(
          rules.maxBytes(),
          (SpooledContent.Source<InterruptedException>)
              target -> {
                InputStream body = entity.getContent();
                byte[] buffer = new byte[BUFFER_BYTES];
                int read = receive(body, buffer, deadline);
                while (read >= 0) {
                  target.write(buffer, 0, read);
                  if (over.getAsBoolean()) {
                    throw new InterruptedException();
                  }
                  read = receive(body, buffer, deadline);
                }
              });
    } catch (ContentTooLargeException tooMuch) {
      throw tooLarge();
    } catch (SourceFailedException failed) {
      throw failed.reason();
    }
  }

  /** Reads from the source; its failures are told from those of our own disk. */
  private static int receive(InputStream body, byte[] buffer, Deadline deadline)
      throws SourceFailedException {
    try {
      return body.read(buffer);
    } catch (IOException failure) {
      throw new SourceFailedException(MaterialConnections.classify(failure, deadline));
    }
  }

  private PermanentTaskException tooLarge() {
    return new PermanentTaskException(
        "MATERIAL_TOO_LARGE", "The material has more than " + rules.maxBytes() + " bytes.");
  }

  private static PermanentTaskException empty() {
    return new PermanentTaskException("MATERIAL_EMPTY", "The source answered without content.");
  }

  /** Carries a reason through the spool. */
  private static final class SourceFailedException extends IOException {
    private static final long serialVersionUID = 1L;
    private final RetriableTaskException reason;

    SourceFailedException(RetriableTaskException reason) {
      super(reason);
      this.reason = reason;
    }

    RetriableTaskException reason() {
      return reason;
    }
  }
}

package dev.onceward.api.http;

import dev.onceward.api.problem.ProblemException;
import java.io.IOException;
import java.io.InputStream;

/**
 * The raw bytes of a request, to be read once and as a stream, so that memory stays bounded.
 * Confined to the request's thread.
 */
public final class RequestContent {
  /** So much of a refused body is read and thrown away, for the client to come to the answer. */
  private static final long MAX_DRAINED_BYTES = 32L * 1024 * 1024;

  private final InputStream body;
  private final long declaredBytes;

  /**
   * @param declaredBytes {@code Content-Length}; -1 when it is not known
   */
  RequestContent(InputStream body, long declaredBytes) {
    this.body = body;
    this.declaredBytes = declaredBytes;
  }

  /** For a route that reads none. */
  static RequestContent none() {
    return new RequestContent(InputStream.nullInputStream(), 0);
  }

  /**
   * The bytes. Reading them throws a {@link ProblemException} when there are more than {@code
   * maxBytes}, when they come too slowly, or when the client breaks off.
   *
   * @throws ProblemException {@code BODY_TOO_LARGE} when the client already said so
   */
  public InputStream open(long maxBytes) {
    if (declaredBytes > maxBytes) {
      throw BodyReader.tooLarge(maxBytes);
    }
    return new Limited(body, maxBytes);
  }

  /** Reads on to the end, within reason: a client that still sends may not see the answer. */
  void drain() {
    byte[] buffer = new byte[64 * 1024];
    try {
      long left = MAX_DRAINED_BYTES;
      int read = body.read(buffer);
      while (read >= 0 && left > 0) {
        left -= read;
        read = body.read(buffer);
      }
    } catch (IOException e) {
      // The client is gone or slow; it gets the answer or it does not.
    }
  }

  private static final class Limited extends InputStream {
    private final InputStream body;
    private final long maxBytes;
    private long bytes;

    Limited(InputStream body, long maxBytes) {
      this.body = body;
      this.maxBytes = maxBytes;
    }

    @Override
    public int read() {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      try {
        int read = body.read(target, offset, length);
        bytes += Math.max(0, read);
        if (bytes > maxBytes) {
          throw BodyReader.tooLarge(maxBytes);
        }
        return read;
      } catch (IOException e) {
        throw BodyReader.unreadable(e);
      }
    }
  }
}

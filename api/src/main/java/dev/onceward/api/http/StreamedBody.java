package dev.onceward.api.http;

import java.io.IOException;
import java.io.OutputStream;
import java.sql.SQLException;

/**
 * A body that is written piece by piece while the client takes it.
 *
 * <p>Failure: status and headers are on their way by then, so a body that cannot be written to its
 * end is broken off, which the client sees by its length.
 *
 * @param sizeBytes exactly as many as the writer writes
 */
public record StreamedBody(long sizeBytes, Writer writer) {

  /** Writes a body. */
  @FunctionalInterface
  public interface Writer {
    /** Writes all bytes and does not close {@code target}. */
    void writeTo(OutputStream target) throws IOException, SQLException;
  }
}

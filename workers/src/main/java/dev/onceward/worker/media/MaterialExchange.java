package dev.onceward.worker.media;

import java.io.IOException;
import java.util.concurrent.Future;
import org.apache.hc.core5.http.ClassicHttpResponse;

/**
 * An answer that is being read; closing it cuts the connection, whatever is left to read.
 *
 * @param alarm cuts the connection when the time is up
 */
record MaterialExchange(ClassicHttpResponse response, Future<?> alarm) implements AutoCloseable {

  @Override
  public void close() throws IOException {
    alarm.cancel(false);
    response.close();
  }
}

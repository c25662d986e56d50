package dev.onceward.local.topic;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Consumes a topic on a thread of its own, so that each record is dated when it can be read.
 * Thread-safe.
 */
public final class TopicWatch implements AutoCloseable {

  private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

  private final Thread thread;
  private final List<SeenRecord> records = new ArrayList<>();
  private boolean complete;
  private @Nullable RuntimeException failure;
  private volatile boolean finishing;
  private volatile boolean stopped;

  /**
   * Begins to read.
   *
   * @param bootstrapServers of the broker
   * @param topic may not exist yet
   */
  public TopicWatch(String bootstrapServers, String topic) {
    thread = new Thread(() -> consume(bootstrapServers, topic), "topic-watch");
    thread.setDaemon(true);
    thread.start();
  }

  /** What was read so far, in the order of reading. */
  public synchronized List<SeenRecord> soFar() {
    return List.copyOf(records);
  }

  /**
   * Reads to the end of the topic, stops, and returns every record.
   *
   * @throws IllegalStateException when the end was not reached within the limit
   */
  public List<SeenRecord> finish(Duration limit) throws InterruptedException {
    finishing = true;
    thread.join(limit.toMillis());
    synchronized (this) {
      if (failure != null) {
        throw failure;
      }
      if (!complete) {
        throw new IllegalStateException(
            "the topic was not read to its end within " + limit.toSeconds() + " s");
      }
      return List.copyOf(records);
    }
  }

  @Override
  public void close() throws InterruptedException {
    // Not an interrupt: a consumer that is interrupted cannot say goodbye to the broker.
    stopped = true;
    thread.join(STOP_LIMIT.toMillis());
  }

  private void consume(String bootstrapServers, String topic) {
    try (TopicReader reader = new TopicReader(bootstrapServers, topic)) {
      while (!stopped) {
        boolean last = finishing;
        add(reader.poll());
        if (last && reader.atEnd()) {
          synchronized (this) {
            complete = true;
          }
          return;
        }
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      synchronized (this) {
        failure = e;
      }
    }
  }

  private synchronized void add(List<SeenRecord> seen) {
    records.addAll(seen);
  }
}

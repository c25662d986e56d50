package dev.onceward.relay.capture;

import io.debezium.connector.postgresql.PostgresConnectorTask;
import io.debezium.connector.postgresql.PostgresPartition;
import io.debezium.pipeline.ChangeEventSourceCoordinator;
import io.debezium.pipeline.EventDispatcher;
import io.debezium.pipeline.source.spi.DataChangeEventListener;
import java.lang.reflect.Field;
import java.util.List;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Debezium's task without its JMX counters of single events. For its attribute {@code LastEvent}
 * the engine writes a text about every event, with a JSON mapper made for the purpose: close to a
 * third of what the streaming thread does. No setting turns that off; the dispatcher's listener
 * does, but only the coordinator's own field leads to it. The relay counts by itself.
 *
 * <p>Failure: where an engine of another version has no such field, everything is as it was, and
 * slower. Public, since the engine makes it by its name.
 */
public final class QuietPostgresTask extends PostgresConnectorTask {
  private static final Logger LOG = LoggerFactory.getLogger(QuietPostgresTask.class);
  private static final @Nullable Field DISPATCHER = dispatcherField();

  /** The engine sets a listener whenever it begins to stream: ours goes in again at each poll. */
  @Override
  public List<SourceRecord> doPoll() throws InterruptedException {
    ChangeEventSourceCoordinator<?, ?> running = coordinator;
    if (DISPATCHER != null && running != null) {
      silence(DISPATCHER, running);
    }
    return super.doPoll();
  }

  @SuppressWarnings("unchecked") // What the field holds in a task of this connector.
  private static void silence(Field field, ChangeEventSourceCoordinator<?, ?> running) {
    try {
      EventDispatcher<PostgresPartition, ?> dispatcher =
          (EventDispatcher<PostgresPartition, ?>) field.get(running);
      dispatcher.setEventListener(DataChangeEventListener.NO_OP());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("The field was made accessible", e);
    }
  }

  private static @Nullable Field dispatcherField() {
    try {
      Field field = ChangeEventSourceCoordinator.class.getDeclaredField("eventDispatcher");
      if (!EventDispatcher.class.isAssignableFrom(field.getType())) {
        throw new NoSuchFieldException("eventDispatcher is a " + field.getType().getName());
      }
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException | RuntimeException e) {
      LOG.warn("The engine's counters of single events stay on; it is slower for that", e);
      return null;
    }
  }
}

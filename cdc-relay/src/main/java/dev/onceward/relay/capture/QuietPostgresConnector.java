package dev.onceward.relay.capture;

import io.debezium.connector.postgresql.PostgresConnector;
import org.apache.kafka.connect.connector.Task;

/**
 * Debezium's connector with a task that keeps no account of single events. Public, since the engine
 * makes it by its name.
 */
public final class QuietPostgresConnector extends PostgresConnector {
  @Override
  public Class<? extends Task> taskClass() {
    return QuietPostgresTask.class;
  }
}

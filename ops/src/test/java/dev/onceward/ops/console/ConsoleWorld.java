package dev.onceward.ops.console;

import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.SharedServers;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.ops.DeadLetterRows;
import dev.onceward.ops.SentEvents;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A console over 1,200 sent events, which the tests of its pages share: none of them may take
 * anything away that it did not bring.
 *
 * @param events the database and the topics
 * @param topics what the events were sent to
 * @param tenant whose the events are
 * @param rows the dead letters of the same database
 * @param console looks at it all
 */
record ConsoleWorld(
    SentEvents events,
    TestTopics topics,
    Tenant tenant,
    DeadLetterRows rows,
    RunningConsole console)
    implements AutoCloseable {

  /** An id that nothing has. */
  static final String ABSENT = "0190e0a4-0000-7000-8000-000000000001";

  static final int EVENTS = 1200;

  private static ConsoleWorld create() {
    try {
      Path directory = Files.createTempDirectory("console");
      TestTopics topics = new TestTopics(SharedServers.kafka());
      SentEvents events = new SentEvents(SharedServers.postgres(), topics, directory);
      Tenant tenant = events.database().newTenant();
      events.write(tenant, "order", EVENTS);
      events.audit();
      return new ConsoleWorld(
          events,
          topics,
          tenant,
          new DeadLetterRows(events.database()),
          RunningConsole.over(events));
    } catch (Exception e) {
      throw new IllegalStateException("the console's world cannot be made", e);
    }
  }

  @Override
  public void close() throws Exception {
    console.close();
    events.close();
    topics.close();
  }

  /** Injects it; one per run of a JVM, closed at its end. */
  static final class Shared implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == ConsoleWorld.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context
          .getRoot()
          .getStore(Namespace.create(ConsoleWorld.class))
          .getOrComputeIfAbsent(ConsoleWorld.class, key -> create(), ConsoleWorld.class);
    }
  }
}

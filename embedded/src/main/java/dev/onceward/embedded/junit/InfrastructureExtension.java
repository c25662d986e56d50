package dev.onceward.embedded.junit;

import dev.onceward.embedded.KafkaBroker;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.SharedServers;
import java.sql.SQLException;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Injects {@link PostgresServer} and {@link KafkaBroker} (shared by the JVM run), {@link
 * TestDatabase} (fresh and empty) and {@link TestTopics} (a fresh prefix).
 *
 * <p>Parameters of one test method and its {@code @BeforeEach} and {@code @AfterEach} methods get
 * the same database; parameters of a constructor or of {@code @BeforeAll} get one that lives as
 * long as the class.
 */
public final class InfrastructureExtension implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(InfrastructureExtension.class);
  private static final Set<Class<?>> TYPES =
      Set.of(PostgresServer.class, KafkaBroker.class, TestDatabase.class, TestTopics.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return TYPES.contains(parameter.getParameter().getType());
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    if (type == PostgresServer.class) {
      return SharedServers.postgres();
    }
    if (type == KafkaBroker.class) {
      return SharedServers.kafka();
    }
    if (type == TestTopics.class) {
      return own(context, type, () -> new TestTopics(SharedServers.kafka()));
    }
    return own(context, type, InfrastructureExtension::newDatabase);
  }

  /** One per context: the id keeps a method from getting its class's. The store closes it. */
  private static Object own(ExtensionContext context, Class<?> type, Supplier<Object> factory) {
    return context
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(
            type.getName() + context.getUniqueId(), key -> factory.get(), Object.class);
  }

  private static Object newDatabase() {
    try {
      return TestDatabase.create(SharedServers.postgres());
    } catch (SQLException e) {
      throw new ParameterResolutionException("The test's database cannot be created", e);
    }
  }
}

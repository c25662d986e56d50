package dev.onceward.local.endtoend;

import dev.onceward.db.test.EventContracts;
import dev.onceward.local.cluster.ClusterOptions;
import dev.onceward.local.cluster.LocalCluster;
import dev.onceward.local.platform.PlatformBehaviour;
import java.sql.Connection;
import java.util.Set;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test the run's one {@link LocalCluster}, whole: whatever the test before left dead is
 * started, and the platform is at its best. After the last test of a class every event that is in
 * the outbox must be as its schema says.
 */
final class ClusterExtension implements ParameterResolver, BeforeEachCallback, AfterAllCallback {

  @Override
  public void beforeEach(ExtensionContext context) throws Exception {
    LocalCluster cluster = cluster(context);
    cluster.platform().behave(PlatformBehaviour.NORMAL);
    cluster.startAgain();
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    LocalCluster cluster = cluster(context);
    cluster.postgres().start();
    try (Connection ops = cluster.connectAsOps()) {
      EventContracts.check(ops, Set.of());
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == LocalCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return cluster(context);
  }

  private static LocalCluster cluster(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(Namespace.create(ClusterExtension.class))
        .getOrComputeIfAbsent(Running.class)
        .cluster;
  }

  /** Closed by JUnit at the end of the run. */
  static final class Running implements AutoCloseable {

    private final LocalCluster cluster;

    Running() throws InterruptedException {
      cluster =
          LocalCluster.start(
              // Short, so that a task of a killed worker is taken up soon.
              ClusterOptions.temporary()
                  .withSetting("onceward.worker.lease", "6s")
                  .withSetting("onceward.worker.lease-renewal", "2s"),
              (what, took) -> System.out.println(what + ": " + took));
    }

    @Override
    public void close() {
      cluster.close();
    }
  }
}

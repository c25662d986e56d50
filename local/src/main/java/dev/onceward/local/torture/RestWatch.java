package dev.onceward.local.torture;

import dev.onceward.local.cluster.Service;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Waits until the pipeline has done all that it was given. Confined to one thread. */
public final class RestWatch {

  private static final Duration PACE = Duration.ofSeconds(1);

  private final List<Service> services;
  private final PipelineStore store;

  public RestWatch(List<Service> services, PipelineStore store) {
    this.services = List.copyOf(services);
    this.store = store;
  }

  /** What has not come to rest within the limit; empty if all has. */
  public List<String> await(Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    List<String> unrest = look();
    while (!unrest.isEmpty() && System.nanoTime() - deadline < 0) {
      Thread.sleep(PACE.toMillis());
      unrest = look();
    }
    return unrest;
  }

  private List<String> look() throws InterruptedException {
    List<String> unrest = new ArrayList<>();
    for (Service service : services) {
      if (!service.isReady()) {
        unrest.add(service.name() + " is not ready");
      }
    }
    try {
      long events = store.eventsOnTheirWay();
      if (events > 0) {
        unrest.add(events + " events are not dispatched");
      }
      long operations = store.operations().stream().filter(each -> !isFinal(each.state())).count();
      if (operations > 0) {
        unrest.add(operations + " operations are not final");
      }
    } catch (SQLException away) {
      unrest.add("the database cannot be asked: " + away.getMessage());
    }
    return unrest;
  }

  private static boolean isFinal(String state) {
    return List.of("succeeded", "failed", "dead", "cancelled").contains(state);
  }
}

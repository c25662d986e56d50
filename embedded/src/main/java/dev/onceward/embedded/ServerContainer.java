package dev.onceward.embedded;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;
import org.testcontainers.utility.DockerImageName;

/**
 * A container that can be killed, paused and started again on the same data and the same port of
 * this machine. Guarded by the server that it belongs to.
 */
final class ServerContainer implements StartingServer, AutoCloseable {
  private static final int TAIL_LINES = 20;

  private final String name;
  private final String image;
  private final GenericContainer<?> container;

  /**
   * @param name what messages call it
   * @param innerPort the port inside, published as {@code port}
   * @param command the command line; empty for the image's own
   */
  ServerContainer(
      String name,
      String image,
      int innerPort,
      int port,
      Map<String, String> environment,
      List<String> command) {
    this.name = name;
    this.image = image;
    this.container = new GenericContainer<>(DockerImageName.parse(image));
    environment.forEach(container::addEnv);
    if (!command.isEmpty()) {
      container.setCommand(command.toArray(String[]::new));
    }
    container.addExposedPort(innerPort);
    container.waitingFor(new NoWait());
    String address = host().equals("127.0.0.1") ? "127.0.0.1:" : "";
    container.withCreateContainerCmdModifier(
        create -> {
          HostConfig config = create.getHostConfig();
          create.withHostConfig(
              (config == null ? new HostConfig() : config)
                  .withPortBindings(PortBinding.parse(address + port + ":" + innerPort)));
        });
  }

  /** The Docker host's address; IPv4 where it is this machine, since the port is bound there. */
  static String host() {
    String host = DockerClientFactory.instance().dockerHostIpAddress();
    return host.equals("localhost") ? "127.0.0.1" : host;
  }

  void start() {
    try {
      if (container.getContainerId() == null) {
        container.start();
      } else {
        client().startContainerCmd(container.getContainerId()).exec();
      }
    } catch (DockerException
        | IllegalStateException
        | org.testcontainers.containers.ContainerLaunchException e) {
      throw new InfrastructureException(
          "The container of %s (image %s) does not start: %s. Check that Docker has or can pull the image, or set %s=embedded."
              .formatted(name, image, rootMessage(e), TestInfrastructure.VARIABLE),
          e);
    }
  }

  boolean isRunning() {
    return container.getContainerId() != null && Boolean.TRUE.equals(state().getRunning());
  }

  void send(Signal signal) {
    client().killContainerCmd(container.getContainerId()).withSignal(signal.name()).exec();
  }

  /** Freezes every process in it. */
  void pause() {
    client().pauseContainerCmd(container.getContainerId()).exec();
  }

  void unpause() {
    client().unpauseContainerCmd(container.getContainerId()).exec();
  }

  String logTail() {
    List<String> lines = container.getLogs().lines().toList();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
  }

  @Override
  public boolean awaitExit(Duration limit) {
    Instant deadline = Instant.now().plus(limit);
    try {
      while (isRunning()) {
        if (Instant.now().isAfter(deadline)) {
          return false;
        }
        Thread.sleep(25);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InfrastructureException("Interrupted while waiting for " + name, e);
    }
  }

  @Override
  public String place() {
    return "container " + container.getContainerId() + " of image " + image;
  }

  @Override
  public InfrastructureException ended() {
    return new InfrastructureException(
        "%s, %s, ended while starting. Its last words:%n%s".formatted(name, place(), logTail()));
  }

  /** Ends and removes the container with its data. */
  @Override
  public void close() {
    container.stop();
  }

  private InspectContainerResponse.ContainerState state() {
    return client().inspectContainerCmd(container.getContainerId()).exec().getState();
  }

  private DockerClient client() {
    return container.getDockerClient();
  }

  private static String rootMessage(Throwable failure) {
    Throwable root = failure;
    for (Throwable cause = root.getCause(); cause != null; cause = root.getCause()) {
      root = cause;
    }
    return String.valueOf(root.getMessage());
  }

  /** The server's own readiness is asked for instead. */
  private static final class NoWait extends AbstractWaitStrategy {
    @Override
    protected void waitUntilReady() {}
  }
}

package dev.onceward.local.cluster;

/**
 * The TCP ports of a cluster, all on the loopback address. Immutable.
 *
 * @param postgres of PostgreSQL
 * @param kafka of the Kafka broker
 * @param api of the API
 * @param relay of the relay's health endpoint
 * @param workers of the workers' health endpoint
 * @param platform of the platform simulator
 * @param console of the web console, if it is started
 */
public record ClusterPorts(
    int postgres, int kafka, int api, int relay, int workers, int platform, int console) {

  /** 0 in every place: the port of the last start, or a free one. */
  public static final ClusterPorts ANY = new ClusterPorts(0, 0, 0, 0, 0, 0, 0);

  /** The same with another API port. */
  public ClusterPorts withApi(int port) {
    return new ClusterPorts(postgres, kafka, port, relay, workers, platform, console);
  }
}

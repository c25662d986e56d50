package dev.onceward.local.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.local.client.ApiAnswer;
import dev.onceward.local.client.ApiClient;
import dev.onceward.local.cluster.LocalCluster;
import dev.onceward.local.cluster.Service;
import dev.onceward.local.observability.ObservabilityFiles;
import dev.onceward.local.observability.PromQuery;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Alert rules and dashboard against what the running processes export. */
@ExtendWith(ClusterExtension.class)
final class ExportedMetricsTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Pattern SAMPLE = Pattern.compile("^([a-z_]+)(\\{.*})? [^ ]+$");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");

  /** What Prometheus itself gives every series of a target. */
  private static final Set<String> OF_THE_TARGET = Set.of("job", "instance");

  @Test
  void every_metric_and_label_of_rules_and_dashboard_is_exported(LocalCluster cluster)
      throws Exception {
    ApiClient client = new ApiClient(cluster.apiUrl(), cluster.access().accessKey(), LIMIT);
    String name = "metrics-" + UUID.randomUUID();
    ApiAnswer created = client.createStore(name, name);
    client.operation(created.operationId(), LIMIT);

    Map<String, Set<String>> exported = new TreeMap<>(Map.of("up", OF_THE_TARGET));
    for (Service service : List.of(cluster.api(), cluster.relay(), cluster.workers())) {
      scrape(service, exported);
    }

    List<String> unknown = new ArrayList<>();
    ObservabilityFiles.expressions()
        .forEach(
            (where, expression) ->
                unknown(PromQuery.parse(expression), exported)
                    .forEach(what -> unknown.add(where + ": " + what)));
    assertThat(unknown).isEmpty();
  }

  private static List<String> unknown(PromQuery query, Map<String, Set<String>> exported) {
    List<String> unknown = new ArrayList<>();
    Set<String> labels = new TreeSet<>(OF_THE_TARGET);
    query
        .metrics()
        .forEach(
            (metric, named) -> {
              Set<String> ofMetric = exported.get(metric);
              if (ofMetric == null) {
                unknown.add(metric);
                return;
              }
              labels.addAll(ofMetric);
              named.stream()
                  .filter(label -> !ofMetric.contains(label) && !OF_THE_TARGET.contains(label))
                  .forEach(label -> unknown.add(metric + "{" + label + "}"));
            });
    query.labels().stream().filter(label -> !labels.contains(label)).forEach(unknown::add);
    return unknown;
  }

  private static void scrape(Service service, Map<String, Set<String>> exported) throws Exception {
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(service.health().resolve("/metrics")).timeout(LIMIT).build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(200);
    for (String line : answer.body().lines().toList()) {
      Matcher sample = SAMPLE.matcher(line);
      if (sample.matches()) {
        Set<String> labels = exported.computeIfAbsent(sample.group(1), unused -> new TreeSet<>());
        Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
        while (label.find()) {
          labels.add(label.group(1));
        }
      }
    }
  }
}

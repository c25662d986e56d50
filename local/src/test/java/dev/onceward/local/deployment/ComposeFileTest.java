package dev.onceward.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.onceward.process.Setting;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The compose file and what it mounts; whether it runs is the business of {@code faults/compose}.
 */
final class ComposeFileTest {
  private static final Path ROOT = ProcessSettings.ROOT;
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z_]+)");

  /** Read by the JVM, by Kafka's clients, and by the logs of every process. */
  private static final Set<String> OF_ALL =
      Set.of("JDK_JAVA_OPTIONS", "ONCEWARD_KAFKA_BOOTSTRAP_SERVERS", "ONCEWARD_LOG_FORMAT");

  /** Read by single commands only, so no setting of all of them. */
  private static final String CREDENTIAL_KEYS = "ONCEWARD_CREDENTIAL_KEYS";

  private JsonNode services = new ObjectMapper().createObjectNode();

  @BeforeEach
  void load() throws IOException {
    services = yaml(ROOT.resolve("docker-compose.yml")).path("services");
  }

  @Test
  void every_variable_is_a_setting_of_its_process_and_every_required_setting_is_given()
      throws IOException {
    Map<String, List<Setting>> processes =
        Map.of(
            "api", ProcessSettings.api(),
            "cdc-relay", ProcessSettings.relay(),
            "cdc-relay-2", ProcessSettings.relay(),
            "workers", ProcessSettings.workers(),
            "workers-2", ProcessSettings.workers(),
            "console", ProcessSettings.console(),
            "onceward", ProcessSettings.commands());
    for (Map.Entry<String, List<Setting>> process : processes.entrySet()) {
      Set<String> known = new HashSet<>(OF_ALL);
      process.getValue().forEach(setting -> known.add(setting.environmentName()));
      if (process.getKey().equals("onceward")) {
        known.add(CREDENTIAL_KEYS);
      }
      Set<String> given = variables(process.getKey());
      assertThat(given).as(process.getKey()).isNotEmpty().allMatch(known::contains);
      process.getValue().stream()
          .filter(Setting::required)
          .forEach(
              setting ->
                  assertThat(given).as(process.getKey()).contains(setting.environmentName()));
    }
    Set<String> migration = new HashSet<>(OF_ALL);
    migration.addAll(ProcessSettings.migration());
    assertThat(migration).containsAll(variables("migrate"));
  }

  @Test
  void hooks_are_made_with_the_keys_that_the_api_reads_them_with() {
    JsonNode commands = services.path("onceward").path("environment").path(CREDENTIAL_KEYS);

    assertThat(commands.asText()).startsWith("${");
    assertThat(commands).isEqualTo(services.path("api").path("environment").path(CREDENTIAL_KEYS));
  }

  @Test
  void services_wait_only_for_services_that_are_there_and_can_say_that_they_are_healthy() {
    for (Map.Entry<String, JsonNode> service : services.properties()) {
      for (Map.Entry<String, JsonNode> needed :
          service.getValue().path("depends_on").properties()) {
        JsonNode other = services.path(needed.getKey());
        assertThat(other.isMissingNode())
            .as("%s needs %s", service.getKey(), needed.getKey())
            .isFalse();
        if (needed.getValue().path("condition").asText().equals("service_healthy")) {
          assertThat(other.path("healthcheck").path("test").isArray()).as(needed.getKey()).isTrue();
        }
      }
    }
  }

  @Test
  void our_containers_are_read_only_and_without_capabilities() {
    for (Map.Entry<String, JsonNode> service : services.properties()) {
      if (service.getValue().has("build")) {
        assertThat(service.getValue().path("read_only").asBoolean()).as(service.getKey()).isTrue();
        assertThat(service.getValue().path("cap_drop").get(0).asText()).isEqualTo("ALL");
        assertThat(service.getValue().path("image").asText()).startsWith("onceward-");
      }
    }
  }

  @Test
  void nothing_must_be_set_by_hand_and_what_is_mounted_exists() throws IOException {
    Set<String> defaults = new TreeSet<>();
    for (String line : Files.readAllLines(ROOT.resolve(".env"))) {
      if (!line.startsWith("#") && line.contains("=")) {
        defaults.add(line.substring(0, line.indexOf('=')));
      }
    }
    Matcher variable = VARIABLE.matcher(Files.readString(ROOT.resolve("docker-compose.yml")));
    Set<String> used = new TreeSet<>();
    while (variable.find()) {
      used.add(variable.group(1));
    }
    assertThat(defaults).isEqualTo(used);
    for (JsonNode service : services) {
      for (JsonNode volume : service.path("volumes")) {
        if (volume.asText().startsWith("./")) {
          String file = volume.asText().substring(0, volume.asText().indexOf(':'));
          assertThat(ROOT.resolve(file)).exists();
        }
      }
    }
  }

  @Test
  void prometheus_reads_the_ports_on_which_the_services_answer() throws IOException {
    JsonNode prometheus = yaml(ROOT.resolve("docs/observability/prometheus.yaml"));
    List<String> targets = new ArrayList<>();
    for (JsonNode job : prometheus.path("scrape_configs")) {
      assertThat(job.path("job_name").asText()).startsWith("onceward-");
      job.path("static_configs")
          .forEach(group -> group.path("targets").forEach(each -> targets.add(each.asText())));
      job.path("dns_sd_configs")
          .forEach(
              group ->
                  group
                      .path("names")
                      .forEach(name -> targets.add(name.asText() + ":" + group.path("port"))));
    }
    for (String target : targets) {
      String service = target.substring(0, target.indexOf(':'));
      String port = target.substring(target.indexOf(':') + 1);
      assertThat(services.path(service).path("healthcheck").path("test").toString())
          .as(target)
          .contains("127.0.0.1:" + port + "/health/ready");
    }
    assertThat(targets)
        .extracting(target -> target.substring(0, target.indexOf(':')))
        .containsExactlyInAnyOrderElementsOf(servicesWithMetrics());
    assertThat(prometheus.path("rule_files").toString()).contains("alerts.yaml");
  }

  private List<String> servicesWithMetrics() {
    List<String> names = new ArrayList<>();
    for (Map.Entry<String, JsonNode> service : services.properties()) {
      // The console shows; it exports nothing.
      if (service.getValue().path("healthcheck").toString().contains("/health/ready")
          && !service.getKey().equals("console")) {
        names.add(service.getKey());
      }
    }
    return names;
  }

  private Set<String> variables(String service) {
    Set<String> names = new TreeSet<>();
    services.path(service).path("environment").fieldNames().forEachRemaining(names::add);
    return names;
  }

  /** With anchors and merges resolved. */
  private static JsonNode yaml(Path file) throws IOException {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    try (Reader reader = Files.newBufferedReader(file)) {
      Object loaded = new Yaml(new SafeConstructor(options)).load(reader);
      return new ObjectMapper().valueToTree(loaded);
    }
  }
}

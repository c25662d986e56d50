package dev.onceward.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.process.Setting;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import io.fabric8.kubernetes.api.model.SecretProjection;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What the manifests tell the processes is what the processes ask for. */
final class ManifestSettingsTest {
  private static final String SECRETS = "/run/secrets/onceward/";
  private static final String JVM = "JDK_JAVA_OPTIONS";

  @Test
  void every_variable_is_a_setting_of_its_process_and_every_required_setting_is_given()
      throws IOException {
    Manifests base = Manifests.base();
    Map<String, String> shared = sharedValues(base);
    for (Map.Entry<String, PodTemplateSpec> pod : base.pods().entrySet()) {
      Container container = pod.getValue().getSpec().getContainers().get(0);
      Map<String, String> own = values(container);
      if (pod.getKey().equals("onceward-migrate")) {
        assertThat(own.keySet()).containsExactlyInAnyOrderElementsOf(ProcessSettings.migration());
        continue;
      }
      List<Setting> settings = settings(pod.getKey());
      Set<String> names = names(settings);
      assertThat(own.keySet())
          .as(pod.getKey())
          .allMatch(name -> names.contains(name) || JVM.equals(name));
      Set<String> given = new HashSet<>(own.keySet());
      assertThat(container.getEnvFrom()).hasSize(1);
      given.addAll(shared.keySet());
      for (Setting setting : settings) {
        if (setting.required()) {
          assertThat(
                  given.contains(setting.environmentName())
                      || given.contains(setting.environmentName() + "_FILE"))
              .as("%s of %s", setting.key(), pod.getKey())
              .isTrue();
        }
      }
    }
  }

  @Test
  void what_all_processes_share_is_known_to_one_of_them_in_every_overlay() throws IOException {
    Set<String> names = new HashSet<>();
    for (String process : List.of("onceward-api", "onceward-relay", "onceward-workers")) {
      names.addAll(names(settings(process)));
    }
    names.add("ONCEWARD_KAFKA_BOOTSTRAP_SERVERS");
    assertThat(names).containsAll(sharedValues(Manifests.base()).keySet());
    for (String overlay : List.of("example", "production")) {
      Path file = Manifests.FOLDER.resolve("overlays").resolve(overlay).resolve("config.yaml");
      ConfigMap patch = (ConfigMap) Manifests.read(file).get(0);
      assertThat(names).as(overlay).containsAll(patch.getData().keySet());
    }
  }

  @Test
  void ports_that_are_set_are_those_that_the_containers_have() throws IOException {
    for (PodTemplateSpec pod : Manifests.base().pods().values()) {
      Container container = pod.getSpec().getContainers().get(0);
      values(container).entrySet().stream()
          .filter(each -> each.getKey().endsWith("_PORT"))
          .forEach(
              each ->
                  assertThat(container.getPorts())
                      .as(each.getKey())
                      .extracting(port -> port.getContainerPort().toString())
                      .containsExactly(each.getValue()));
    }
  }

  @Test
  void secrets_that_pods_use_are_in_the_example_and_files_are_where_the_settings_say()
      throws IOException {
    Map<String, Set<String>> known = exampleSecrets();
    for (Map.Entry<String, PodTemplateSpec> pod : Manifests.base().pods().entrySet()) {
      Container container = pod.getValue().getSpec().getContainers().get(0);
      for (EnvVar variable : container.getEnv()) {
        if (variable.getValueFrom() != null && variable.getValueFrom().getSecretKeyRef() != null) {
          SecretKeySelector key = variable.getValueFrom().getSecretKeyRef();
          assertThat(known).containsKey(key.getName());
          assertThat(known.getOrDefault(key.getName(), Set.of())).contains(key.getKey());
        }
      }
      List<String> mounted = new ArrayList<>();
      for (KeyToPath item : mountedSecrets(pod.getValue(), known)) {
        mounted.add(SECRETS + item.getPath());
      }
      List<String> read =
          values(container).entrySet().stream()
              .filter(each -> each.getKey().endsWith("_FILE"))
              .map(Map.Entry::getValue)
              .toList();
      assertThat(mounted).as(pod.getKey()).containsExactlyInAnyOrderElementsOf(read);
    }
  }

  private static List<KeyToPath> mountedSecrets(
      PodTemplateSpec pod, Map<String, Set<String>> known) {
    List<KeyToPath> items = new ArrayList<>();
    pod.getSpec().getVolumes().stream()
        .filter(volume -> volume.getProjected() != null)
        .flatMap(volume -> volume.getProjected().getSources().stream())
        .map(VolumeProjection::getSecret)
        .forEach(
            (SecretProjection secret) -> {
              for (KeyToPath item : secret.getItems()) {
                assertThat(known.getOrDefault(secret.getName(), Set.of())).contains(item.getKey());
                items.add(item);
              }
            });
    return items;
  }

  private static Map<String, Set<String>> exampleSecrets() throws IOException {
    Map<String, Set<String>> known = new HashMap<>();
    Manifests.read(Manifests.FOLDER.resolve("overlays/example/secrets.yaml"))
        .forEach(
            each ->
                known.put(each.getMetadata().getName(), ((Secret) each).getStringData().keySet()));
    return known;
  }

  private static Map<String, String> sharedValues(Manifests base) {
    return base.all(ConfigMap.class).get(0).getData();
  }

  /** The value of a reference is the empty text. */
  private static Map<String, String> values(Container container) {
    Map<String, String> values = new TreeMap<>();
    for (EnvVar variable : container.getEnv()) {
      values.put(variable.getName(), variable.getValue() == null ? "" : variable.getValue());
    }
    return values;
  }

  private static List<Setting> settings(String pod) {
    return switch (pod) {
      case "onceward-api" -> ProcessSettings.api();
      case "onceward-relay" -> ProcessSettings.relay();
      case "onceward-workers" -> ProcessSettings.workers();
      case "onceward-console" -> ProcessSettings.console();
      default -> throw new AssertionError("whose settings does " + pod + " have?");
    };
  }

  static Set<String> names(List<Setting> settings) {
    Set<String> names = new HashSet<>();
    settings.forEach(setting -> names.add(setting.environmentName()));
    return names;
  }
}

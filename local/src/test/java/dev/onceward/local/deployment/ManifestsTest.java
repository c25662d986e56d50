package dev.onceward.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ManifestsTest {
  private Manifests base = loaded();

  @BeforeEach
  void load() {
    base = loaded();
  }

  @Test
  void a_field_that_kubernetes_does_not_know_is_refused(@TempDir Path folder) throws IOException {
    String api = Files.readString(Manifests.BASE.resolve("api.yaml"));
    Path misspelt =
        Files.writeString(
            folder.resolve("api.yaml"), api.replace("readinessProbe:", "readynessProbe:"));

    assertThatThrownBy(() -> Manifests.read(misspelt)).hasMessageContaining("readynessProbe");
  }

  @Test
  void a_kustomization_names_every_file_beside_it_and_no_other() throws IOException {
    for (Path folder : folders()) {
      JsonNode kustomization = Manifests.kustomization(folder);
      List<Path> named = new ArrayList<>();
      kustomization.path("resources").forEach(each -> named.add(folder.resolve(each.asText())));
      kustomization
          .path("patches")
          .forEach(each -> named.add(folder.resolve(each.path("path").asText())));
      assertThat(named).as("%s", folder).allMatch(Files::exists);
      assertThat(named).as("%s", folder).containsAll(Manifests.files(folder));
    }
  }

  @Test
  void what_overlays_add_and_change_is_there_in_the_base() throws IOException {
    Set<String> names =
        Stream.of(Deployment.class, ConfigMap.class)
            .flatMap(kind -> base.all(kind).stream())
            .map(each -> each.getKind() + " " + each.getMetadata().getName())
            .collect(Collectors.toSet());
    for (Path folder : folders()) {
      JsonNode kustomization = Manifests.kustomization(folder);
      kustomization
          .path("replicas")
          .forEach(each -> assertThat(names).contains("Deployment " + each.path("name").asText()));
      for (JsonNode patch : kustomization.path("patches")) {
        Path file = folder.resolve(patch.path("path").asText());
        if (patch.has("target")) {
          replacesWhatIsThere(patch.at("/target/kind").asText(), Manifests.documents(file));
        } else {
          Manifests.read(file)
              .forEach(
                  each ->
                      assertThat(names)
                          .contains(each.getKind() + " " + each.getMetadata().getName()));
        }
      }
    }
  }

  @Test
  void images_are_those_of_the_dockerfile_and_every_overlay_gives_each_a_tag() throws IOException {
    Set<String> used = containers().stream().map(Container::getImage).collect(Collectors.toSet());
    String dockerfile = Files.readString(ProcessSettings.ROOT.resolve("Dockerfile"));
    assertThat(used)
        .allMatch(image -> dockerfile.contains(image.replaceFirst("onceward-", "") + ")"));
    for (Path folder : folders()) {
      if (!folder.equals(Manifests.BASE)) {
        Set<String> tags = new TreeSet<>();
        List<String> images = new ArrayList<>();
        for (JsonNode image : Manifests.kustomization(folder).path("images")) {
          images.add(image.path("name").asText());
          tags.add(image.path("newTag").asText());
        }
        assertThat(images).as("%s", folder).containsExactlyInAnyOrderElementsOf(used);
        assertThat(tags).as("%s", folder).hasSize(1);
      }
    }
  }

  @Test
  void selectors_match_the_pods_that_they_are_for() {
    for (Deployment deployment : base.all(Deployment.class)) {
      PodTemplateSpec pod = deployment.getSpec().getTemplate();
      assertThat(matches(deployment.getSpec().getSelector(), pod)).isTrue();
      pod.getSpec()
          .getTopologySpreadConstraints()
          .forEach(each -> assertThat(matches(each.getLabelSelector(), pod)).isTrue());
      assertThat(base.all(PodDisruptionBudget.class))
          .filteredOn(budget -> matches(budget.getSpec().getSelector(), pod))
          .as("the budget of %s", deployment.getMetadata().getName())
          .hasSize(1);
    }
    for (NetworkPolicy policy : base.all(NetworkPolicy.class)) {
      assertThat(base.pods().values())
          .as(policy.getMetadata().getName())
          .anyMatch(pod -> matches(policy.getSpec().getPodSelector(), pod));
      policy
          .getSpec()
          .getPodSelector()
          .getMatchExpressions()
          .forEach(each -> assertThat(base.pods().keySet()).containsAll(each.getValues()));
    }
  }

  @Test
  void every_pod_is_denied_what_no_policy_allows() {
    NetworkPolicy deny =
        base.all(NetworkPolicy.class).stream()
            .filter(each -> each.getSpec().getIngress().isEmpty())
            .filter(each -> each.getSpec().getEgress().isEmpty())
            .findFirst()
            .orElseThrow();
    assertThat(deny.getSpec().getPolicyTypes()).containsExactly("Ingress", "Egress");
    assertThat(base.pods().values()).allMatch(pod -> matches(deny.getSpec().getPodSelector(), pod));
  }

  @Test
  void probes_services_and_policies_name_ports_that_exist() {
    for (Deployment deployment : base.all(Deployment.class)) {
      for (Container container : deployment.getSpec().getTemplate().getSpec().getContainers()) {
        for (Probe probe :
            List.of(
                container.getStartupProbe(),
                container.getLivenessProbe(),
                container.getReadinessProbe())) {
          assertThat(ports(container)).contains(probe.getHttpGet().getPort().getStrVal());
          assertThat(probe.getHttpGet().getPath()).startsWith("/health/");
        }
      }
    }
    for (Service service : base.all(Service.class)) {
      List<PodTemplateSpec> pods =
          base.pods().values().stream()
              .filter(
                  pod ->
                      Manifests.labels(pod)
                          .entrySet()
                          .containsAll(service.getSpec().getSelector().entrySet()))
              .toList();
      assertThat(pods).as(service.getMetadata().getName()).hasSize(1);
      for (ServicePort port : service.getSpec().getPorts()) {
        assertThat(ports(pods.get(0).getSpec().getContainers().get(0)))
            .contains(port.getTargetPort().getStrVal());
      }
    }
    Set<String> names =
        containers().stream().flatMap(each -> ports(each).stream()).collect(Collectors.toSet());
    assertThat(namesOfPorts()).isNotEmpty().allMatch(names::contains);
  }

  @Test
  void no_process_runs_with_more_than_it_needs() {
    for (Map.Entry<String, PodTemplateSpec> each : base.pods().entrySet()) {
      PodSpec pod = each.getValue().getSpec();
      assertThat(pod.getAutomountServiceAccountToken()).as(each.getKey()).isFalse();
      assertThat(pod.getServiceAccountName()).isEqualTo("onceward");
      // Kubernetes would set ONCEWARD_API_PORT for a service called onceward-api.
      assertThat(pod.getEnableServiceLinks()).as(each.getKey()).isFalse();
      assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
      assertThat(pod.getSecurityContext().getRunAsUser()).isEqualTo(10001);
      assertThat(pod.getSecurityContext().getSeccompProfile().getType())
          .isEqualTo("RuntimeDefault");
      for (Container container : pod.getContainers()) {
        assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
        assertThat(container.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
        assertThat(container.getSecurityContext().getCapabilities().getDrop())
            .containsExactly("ALL");
        assertThat(container.getResources().getRequests()).containsKeys("cpu", "memory");
        assertThat(container.getResources().getLimits().get("memory"))
            .isEqualTo(container.getResources().getRequests().get("memory"));
      }
    }
  }

  private List<Container> containers() {
    return base.pods().values().stream()
        .flatMap(pod -> pod.getSpec().getContainers().stream())
        .toList();
  }

  private List<String> namesOfPorts() {
    return base.all(NetworkPolicy.class).stream()
        .flatMap(
            policy ->
                Stream.concat(
                    policy.getSpec().getIngress().stream()
                        .flatMap(rule -> rule.getPorts().stream()),
                    policy.getSpec().getEgress().stream()
                        .flatMap(rule -> rule.getPorts().stream())))
        .map(port -> port.getPort())
        .map(IntOrString::getStrVal)
        .filter(name -> name != null)
        .toList();
  }

  private void replacesWhatIsThere(String kind, List<JsonNode> operations) throws IOException {
    for (JsonNode operation : operations) {
      assertThat(operation.path("op").asText()).isEqualTo("replace");
      for (Path file : Manifests.files(Manifests.BASE)) {
        for (JsonNode document : Manifests.documents(file)) {
          if (document.path("kind").asText().equals(kind)) {
            assertThat(document.at(operation.path("path").asText()).isMissingNode())
                .as("%s of %s", operation, file)
                .isFalse();
          }
        }
      }
    }
  }

  private static Set<String> ports(Container container) {
    return container.getPorts().stream().map(ContainerPort::getName).collect(Collectors.toSet());
  }

  private static boolean matches(LabelSelector selector, PodTemplateSpec pod) {
    Map<String, String> labels = Manifests.labels(pod);
    Map<String, String> wanted =
        selector.getMatchLabels() == null ? Map.of() : selector.getMatchLabels();
    return labels.entrySet().containsAll(wanted.entrySet())
        && selector.getMatchExpressions().stream()
            .allMatch(
                each ->
                    each.getOperator().equals("In")
                        && each.getValues().contains(labels.getOrDefault(each.getKey(), "")));
  }

  private static List<Path> folders() throws IOException {
    List<Path> folders = new ArrayList<>(List.of(Manifests.BASE));
    try (Stream<Path> overlays = Files.list(Manifests.FOLDER.resolve("overlays"))) {
      overlays.sorted().forEach(folders::add);
    }
    assertThat(folders).hasSizeGreaterThan(1);
    return folders;
  }

  private static Manifests loaded() {
    try {
      return Manifests.base();
    } catch (IOException failure) {
      throw new AssertionError("the manifests are refused", failure);
    }
  }
}

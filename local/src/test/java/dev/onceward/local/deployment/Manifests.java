package dev.onceward.local.deployment;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The manifests of {@code deploy/} as Kubernetes' own types, which take no field they do not know.
 */
final class Manifests {
  static final Path FOLDER = ProcessSettings.ROOT.resolve("deploy");
  static final Path BASE = FOLDER.resolve("base");

  private static final String KUSTOMIZATION = "kustomization.yaml";
  private static final String PART_OF = "app.kubernetes.io/part-of";

  private static final Map<String, Class<? extends HasMetadata>> KINDS =
      Map.of(
          "v1 ConfigMap", ConfigMap.class,
          "v1 Namespace", Namespace.class,
          "v1 Secret", Secret.class,
          "v1 Service", Service.class,
          "v1 ServiceAccount", ServiceAccount.class,
          "apps/v1 Deployment", Deployment.class,
          "batch/v1 Job", Job.class,
          "networking.k8s.io/v1 NetworkPolicy", NetworkPolicy.class,
          "policy/v1 PodDisruptionBudget", PodDisruptionBudget.class);

  private static final YAMLMapper YAML = mapper();

  private final List<HasMetadata> resources = new ArrayList<>();

  private Manifests() {}

  /** Those that every overlay has. */
  static Manifests base() throws IOException {
    Manifests manifests = new Manifests();
    for (Path file : files(BASE)) {
      manifests.resources.addAll(read(file));
    }
    return manifests;
  }

  /** The resources of a kind. */
  <T extends HasMetadata> List<T> all(Class<T> kind) {
    return resources.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** The pods that are made, by the name of what makes them, with the label of the base. */
  Map<String, PodTemplateSpec> pods() {
    Map<String, PodTemplateSpec> pods = new LinkedHashMap<>();
    all(Deployment.class)
        .forEach(each -> pods.put(each.getMetadata().getName(), each.getSpec().getTemplate()));
    all(Job.class)
        .forEach(each -> pods.put(each.getMetadata().getName(), each.getSpec().getTemplate()));
    return pods;
  }

  /** The labels that a pod has in the end. */
  static Map<String, String> labels(PodTemplateSpec pod) {
    Map<String, String> labels = new LinkedHashMap<>(pod.getMetadata().getLabels());
    labels.put(PART_OF, "onceward");
    return labels;
  }

  /** The resources of a file; refuses unknown kinds, unknown fields and fields given twice. */
  static List<HasMetadata> read(Path file) throws IOException {
    List<HasMetadata> read = new ArrayList<>();
    for (JsonNode document : documents(file)) {
      String kind = document.path("apiVersion").asText() + " " + document.path("kind").asText();
      Class<? extends HasMetadata> type = KINDS.get(kind);
      if (type == null) {
        throw new IOException(file + " has an unknown kind: " + kind);
      }
      read.add(YAML.treeToValue(document, type));
    }
    return read;
  }

  /** The documents of a file as they stand; of a list its elements. */
  static List<JsonNode> documents(Path file) throws IOException {
    try (MappingIterator<JsonNode> documents =
        YAML.readerFor(JsonNode.class).readValues(file.toFile())) {
      return documents.readAll();
    }
  }

  /** The kustomization of a folder. */
  static JsonNode kustomization(Path folder) throws IOException {
    return documents(folder.resolve(KUSTOMIZATION)).get(0);
  }

  /** Everything beside a folder's kustomization. */
  static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> !file.endsWith(KUSTOMIZATION)).sorted().toList();
    }
  }

  private static YAMLMapper mapper() {
    YAMLMapper mapper =
        new YAMLMapper(
            YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build());
    mapper.setAnnotationIntrospector(
        new JacksonAnnotationIntrospector() {
          // The types would keep unknown fields.
          @Override
          public Boolean hasAnySetter(Annotated member) {
            return false;
          }
        });
    return mapper;
  }
}

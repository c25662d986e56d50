package dev.onceward.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/deployment.md} against the files that it speaks of. */
final class DeploymentGuideTest {
  private static final Path DOCS = ProcessSettings.ROOT.resolve("docs");
  private static final Pattern FOLDER = Pattern.compile("\\b(deploy(?:/[a-z]+)+)(?=[\\s`),])");
  private static final Pattern RESOURCE =
      Pattern.compile("\\b(?:deployment|job)/(onceward-[a-z]+)");
  private static final Pattern SETTING = Pattern.compile("`(onceward\\.[a-z.-]+[a-z])[`=]");

  private final String guide = read();

  @Test
  void the_folders_that_it_names_are_there() {
    Matcher folder = FOLDER.matcher(guide);
    while (folder.find()) {
      assertThat(ProcessSettings.ROOT.resolve(folder.group(1))).exists();
    }
  }

  @Test
  void the_resources_and_labels_that_it_names_are_in_the_manifests() throws IOException {
    Set<String> names = new HashSet<>();
    StringBuilder texts = new StringBuilder();
    for (Path file : Manifests.files(Manifests.BASE)) {
      texts.append(Files.readString(file));
      for (HasMetadata resource : Manifests.read(file)) {
        names.add(resource.getMetadata().getName());
      }
    }
    Matcher resource = RESOURCE.matcher(guide);
    while (resource.find()) {
      assertThat(names).contains(resource.group(1));
    }
    for (String label : new String[] {"callers", "operators", "metrics"}) {
      assertThat(guide).contains("onceward.dev/" + label + "=true");
      assertThat(texts.toString()).contains("onceward.dev/" + label + ": \"true\"");
    }
    assertThat(texts.toString())
        .contains("onceward-roles", "onceward-keys", "onceward-administrator");
  }

  @Test
  void the_settings_that_it_names_exist() throws IOException {
    String reference = Files.readString(DOCS.resolve("configuration.md"));
    Matcher setting = SETTING.matcher(guide);
    while (setting.find()) {
      assertThat(reference).contains("`" + setting.group(1) + "`");
    }
  }

  private static String read() {
    try {
      return Files.readString(DOCS.resolve("deployment.md"));
    } catch (IOException gone) {
      throw new AssertionError("the guide is gone", gone);
    }
  }
}

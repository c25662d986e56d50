package dev.onceward.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * What a module declares for its tests counts for Maven more than what the modules below it need to
 * run: it would be missing in the image, and only there.
 */
final class PackagedDependenciesTest {
  private static final String OURS = "onceward-";

  private record Dependency(String artifact, String scope, String type) {}

  @Test
  void nothing_that_a_module_needs_to_run_is_for_tests_only_in_one_above_it() throws Exception {
    Map<String, List<Dependency>> modules = new HashMap<>();
    for (String module : modules()) {
      modules.put(module, dependencies(module));
    }
    List<String> missing = new ArrayList<>();
    for (Map.Entry<String, List<Dependency>> module : modules.entrySet()) {
      Set<String> needed = new HashSet<>();
      for (String below : below(module.getKey(), modules)) {
        modules.getOrDefault(below, List.of()).stream()
            .filter(each -> each.scope().equals("compile") || each.scope().equals("runtime"))
            .forEach(each -> needed.add(each.artifact()));
      }
      module.getValue().stream()
          .filter(each -> each.scope().equals("test") && each.type().equals("jar"))
          .filter(each -> needed.contains(each.artifact()))
          .forEach(each -> missing.add(module.getKey() + ": " + each.artifact()));
    }
    assertThat(modules).containsKeys("process", "api", "cdc-relay", "workers", "ops");
    assertThat(missing).as("give them the scope runtime").isEmpty();
  }

  private static Set<String> below(String module, Map<String, List<Dependency>> modules) {
    Set<String> found = new HashSet<>();
    for (Dependency each : modules.getOrDefault(module, List.of())) {
      if (each.artifact().startsWith(OURS) && !each.scope().equals("test")) {
        String name = each.artifact().substring(OURS.length());
        found.add(name);
        found.addAll(below(name, modules));
      }
    }
    return found;
  }

  private static List<String> modules() throws Exception {
    NodeList names = parse(ProcessSettings.ROOT.resolve("pom.xml")).getElementsByTagName("module");
    List<String> modules = new ArrayList<>();
    for (int i = 0; i < names.getLength(); i++) {
      modules.add(names.item(i).getTextContent());
    }
    return modules;
  }

  private static List<Dependency> dependencies(String module) throws Exception {
    Document pom = parse(ProcessSettings.ROOT.resolve(module).resolve("pom.xml"));
    NodeList all = pom.getElementsByTagName("dependency");
    List<Dependency> dependencies = new ArrayList<>();
    for (int i = 0; i < all.getLength(); i++) {
      Element dependency = (Element) all.item(i);
      Node owner = dependency.getParentNode().getParentNode();
      if (owner.getNodeName().equals("project")) {
        dependencies.add(
            new Dependency(
                text(dependency, "artifactId", ""),
                text(dependency, "scope", "compile"),
                text(dependency, "type", "jar")));
      }
    }
    return dependencies;
  }

  private static String text(Element parent, String name, String otherwise) {
    NodeList found = parent.getElementsByTagName(name);
    return found.getLength() == 0 ? otherwise : found.item(0).getTextContent().strip();
  }

  private static Document parse(Path file) throws Exception {
    try (var stream = Files.newInputStream(file)) {
      return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(stream);
    }
  }
}
